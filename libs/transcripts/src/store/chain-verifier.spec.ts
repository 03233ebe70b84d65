import { describe, expect, it } from '@jest/globals';
import { isSound, type RecordedEvent, type SoundEvent } from '../events/recorded-event.js';
import { newAppend, newEvent, wholeStream } from '../testing/new-events.js';
import { verifyChain } from './chain-verifier.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';

describe('verifyChain', () => {
  it('verifies a stream in one go and page by page, and answers its head', async () => {
    const events = await recorded();
    const head = { version: 4, hash: events[3]?.hash };
    expect(verifyChain(events)).toEqual({ ok: true, head });
    const half = verifyChain(events.slice(0, 2));
    expect(half.ok && verifyChain(events.slice(2), half.head)).toEqual({ ok: true, head });
  });

  it.each<[string, string, (event: SoundEvent) => SoundEvent]>([
    ['a changed payload', 'altered', (event) => ({ ...event, data: event.data.replace('hello', 'hallo') })],
    ['a changed actor', 'altered', (event) => ({ ...event, actor: 'key:other' })],
    ['a changed tenant', 'altered', (event) => ({ ...event, tenant: 'other' })],
    ['a causation that was added', 'altered', (event) => ({ ...event, causation: 'other' })],
    ['a changed type', 'altered', (event) => ({ ...event, type: 'AgentCompleted' })],
    ['another hash', 'altered', (event) => ({ ...event, hash: 'ab'.repeat(32) })],
    ['another predecessor', 'broken_link', (event) => ({ ...event, previousHash: 'ab'.repeat(32) })],
    ['another version', 'gap', (event) => ({ ...event, version: 7 })],
  ])('finds %s', async (_what, fault, change) => {
    const events = (await recorded())
      .filter(isSound)
      .map((event, index) => (index === 2 ? change(event) : event));
    expect(verifyChain(events)).toMatchObject({ ok: false, fault });
  });

  it('finds an event that is missing, twice or out of order, and says where', async () => {
    const [first, second, third, fourth] = (await recorded()) as [
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
    ];
    expect(verifyChain([first, third, fourth])).toEqual({ ok: false, version: 3, fault: 'gap' });
    expect(verifyChain([first, second, second])).toEqual({ ok: false, version: 2, fault: 'gap' });
    expect(verifyChain([second])).toEqual({ ok: false, version: 2, fault: 'gap' });
  });

  it('finds an event of another stream', async () => {
    const [first] = await recorded();
    const [, second] = await recorded();
    expect(verifyChain([first, second] as RecordedEvent[])).toEqual({
      ok: false,
      version: 2,
      fault: 'broken_link',
    });
  });

  it('does not look at what the writer cannot know', async () => {
    const events = (await recorded()).map((event) => ({
      ...event,
      recordedAt: 'later',
      place: { generation: 9, xid: 9n, position: 9n },
    }));
    expect(verifyChain(events)).toMatchObject({ ok: true });
  });
});

async function recorded(): Promise<RecordedEvent[]> {
  const store = new InMemoryTranscriptStore();
  const request = newAppend({ events: [newEvent(), newEvent(), newEvent(), newEvent()] });
  await store.append(request);
  return wholeStream(store, request.stream);
}
