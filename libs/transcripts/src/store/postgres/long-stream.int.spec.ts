import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BundledScript, bundleScript } from '../../../../../test/support/bundle-script.js';
import { NO_STREAM, type StreamHead } from '../../events/recorded-event.js';
import { newAppend, newEvent, newId } from '../../testing/new-events.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 180_000;
const events = 20_000;
const perAppend = 100;
const payload = JSON.stringify({ text: 'A line of what a tool had to say. '.repeat(74) });

describe('a stream of 20,000 events and 50 MB', () => {
  let log: TestLog;
  let script: BundledScript;
  const stream = newId();
  beforeAll(async () => {
    log = await openTestLog();
    script = await bundleScript(join(import.meta.dirname, 'testing', 'read-long-stream.ts'));
    let head: StreamHead = NO_STREAM;
    while (head.version < events) {
      const rest = Array.from({ length: perAppend - 1 }, longEvent);
      const result = await log.store.append(
        newAppend({ stream, expected: head, events: [longEvent(), ...rest] }),
      );
      if (!result.ok) throw new Error('Filling the stream lost an append.');
      head = result.head;
    }
  }, patience);
  afterAll(async () => {
    await script.remove();
    await log.close();
  });

  const longEvent = () => newEvent({ type: 'SomethingLong', data: payload });

  it.each([
    ['48 MB by one reader', 48, 1],
    ['256 MB by ten readers at once', 256, 10],
  ])(
    '[E17] is verified, folded and read in a heap of %s, whatever the page that is asked for',
    async (_what, heapMb, readers) => {
      const args = [`--max-old-space-size=${heapMb}`, script.path, log.url, stream, String(readers)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const each = { verified: true, folded: events, events };
      expect(JSON.parse(stdout)).toEqual(Array.from({ length: readers }, () => each));
    },
    patience,
  );
});
