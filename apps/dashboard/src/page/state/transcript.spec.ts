import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LiveEvent } from './cloud-event.js';
import {
  openTranscript,
  parseRecord,
  pausedTranscript,
  resumedTranscript,
  withLiveEvents,
  withPage,
  type Transcript,
  type TranscriptRecord,
} from './transcript.js';

const record = (version: number): TranscriptRecord => ({
  cursor: `c${version}`,
  version,
  name: 'TurnRecorded',
  at: '2026-05-04T09:00:00.000Z',
  facts: {},
});
const live = (version: number | null, over: Partial<LiveEvent> = {}): LiveEvent => ({
  ...record(version ?? 0),
  agentId: 'a1',
  version,
  isByReference: false,
  ...over,
});
const range = (from: number, to: number): TranscriptRecord[] =>
  Array.from({ length: to - from + 1 }, (_, index) => record(from + index));
const versions = (transcript: Transcript): number[] => transcript.records.map(({ version }) => version);
const complete = (last: number): Transcript => withPage(openTranscript('a1'), range(1, last), null);

describe('an open transcript', () => {
  it('reads pages to the end and then follows the stream', () => {
    const first = withPage(openTranscript('a1'), range(1, 3), 'c3');
    expect(first).toMatchObject({ phase: 'loading', after: 'c3' });
    const read = withPage(first, range(4, 5), null);
    expect(read).toMatchObject({ phase: 'complete', after: 'c5' });
    expect(versions(withLiveEvents(read, [live(6)]))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('[OPS-2] what happens while pages are read is joined at the end, nothing twice', () => {
    const first = withPage(openTranscript('a1'), range(1, 3), 'c3');
    const busy = withLiveEvents(first, [live(3), live(4), live(5), live(6)]);
    expect(versions(busy)).toEqual([1, 2, 3]);
    expect(versions(withPage(busy, range(4, 5), null))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('reads on from the cursor of the endpoint, never from that of a live record, which is the log’s', () => {
    const followed = withLiveEvents(complete(3), [live(4, { cursor: 'cursor-of-the-log' })]);
    expect(withLiveEvents(followed, [live(6)])).toMatchObject({ phase: 'torn', after: 'c3' });
  });

  it('a live record that does not join tears it, and the tail mends it', () => {
    const torn = withLiveEvents(complete(3), [live(5)]);
    expect(torn).toMatchObject({ phase: 'torn', after: 'c3' });
    const mended = withPage(resumedTranscript(torn), range(4, 5), null);
    expect(mended.phase).toBe('complete');
    expect(versions(mended)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['without a version', live(null)],
    ['with its payload kept elsewhere', live(4, { isByReference: true })],
  ])('a live record %s is read from the server', (_, event) => {
    expect(withLiveEvents(complete(3), [event]).phase).toBe('torn');
  });

  it('events of other agents leave it as it is', () => {
    const transcript = complete(3);
    expect(withLiveEvents(transcript, [live(4, { agentId: 'a2' })])).toBe(transcript);
  });

  it('a paused one takes nothing in, so that it has no hole when it is read on', () => {
    const paused = pausedTranscript(withPage(openTranscript('a1'), range(1, 3), 'c3'));
    expect(withLiveEvents(paused, [live(4)])).toBe(paused);
  });

  it('a record without version or type is left out', () => {
    expect(parseRecord({ type: 'RunStarted' })).toBeNull();
    expect(parseRecord({ version: 1 })).toBeNull();
    expect(parseRecord(null)).toBeNull();
    expect(parseRecord({ version: 1, type: 'dev.offshoot.RunStarted' })?.name).toBe('RunStarted');
  });

  it('[OPS-2] any interleaving of pages and live events gives all records once, in order, or says that it is torn', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.array(fc.nat({ max: 14 })), (read, heard) => {
        const loading = withPage(openTranscript('a1'), range(1, read), `c${read}`);
        const busy = withLiveEvents(
          loading,
          heard.map((version) => live(version + 1)),
        );
        const done = withPage(busy, [], null);
        expect(versions(done)).toEqual(range(1, done.records.length).map(({ version }) => version));
        const mended = withPage(resumedTranscript(done), range(done.records.length + 1, 15), null);
        expect(versions(mended)).toEqual(range(1, 15).map(({ version }) => version));
      }),
    );
  });
});
