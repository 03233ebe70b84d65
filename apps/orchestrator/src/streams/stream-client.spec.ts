import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { newEvent } from '#transcripts/testing';
import type { EventFrame } from './event-frame.js';
import { StreamClient } from './stream-client.js';

const frame = (cursor: string): EventFrame => ({
  event: {
    ...newEvent({ type: 'SomethingHappened', data: '{}' }),
    ...{ stream: 's', version: 1, previousHash: null, hash: '', actor: 'a', tenant: 't', recordedAt: '' },
    place: { generation: 1, xid: 1n, position: 1n },
  },
  subject: { sessionId: 's', kind: 'session' },
  place: { generation: 1, xid: 1n, position: 1n },
  cursor,
  json: '{}',
});

describe('a client of an event stream', () => {
  let writes: string[];

  const clientOf = (coalesceMs?: number): StreamClient => {
    const response = Object.assign(new EventEmitter(), {
      writableLength: 0,
      write: (text: string) => writes.push(text) > 0,
    });
    return new StreamClient({
      response: response as unknown as ServerResponse,
      wants: () => true,
      print: ({ cursor }) => cursor,
      onClosed: () => undefined,
      onTooSlow: () => undefined,
      ...(coalesceMs === undefined ? {} : { coalesceMs }),
    });
  };

  beforeEach(() => {
    writes = [];
  });

  it('[OPS-2] gets a frame that comes after a pause at once, and those that follow it together', () => {
    const client = clientOf(60_000);
    client.push([frame('a'), frame('b')]);
    expect(writes).toEqual(['ab']);
    client.push([frame('c')]);
    client.push([frame('d')]);
    expect(writes).toEqual(['ab']);
    client.flush();
    expect(writes).toEqual(['ab', 'cd']);
    client.close();
  });

  it('[OPS-2] gets what was held back for company without anything else happening', async () => {
    const client = clientOf();
    for (const cursor of ['a', 'b', 'c']) client.push([frame(cursor)]);
    for (let look = 0; look < 500 && writes.join('') !== 'abc'; look += 1) await pause(2);
    expect(writes.join('')).toBe('abc');
  });

  it('is written nothing once it is closed', () => {
    const client = clientOf(60_000);
    client.push([frame('a')]);
    client.push([frame('b')]);
    client.close();
    client.flush();
    client.push([frame('c')]);
    expect(writes).toEqual(['a']);
  });
});
