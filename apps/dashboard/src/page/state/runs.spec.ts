import { describe, expect, it } from '@jest/globals';
import type { Json } from './read.js';
import { projectRuns, runSpans } from './runs.js';
import type { TranscriptRecord } from './transcript.js';

const history = (
  ...steps: readonly (readonly [name: string, second: number, facts?: Json])[]
): TranscriptRecord[] =>
  steps.map(([name, second, facts], index) => ({
    cursor: null,
    version: index + 1,
    name,
    at: new Date(Date.UTC(2026, 4, 4, 9, 0, second)).toISOString(),
    facts: facts ?? {},
  }));

describe('the runs of a transcript', () => {
  it('a crashed run and its revival are two epochs on two workers, with the cause', () => {
    const runs = projectRuns(
      history(
        ['AgentLaunched', 0],
        ['RunStarted', 1, { epoch: 1, worker: 'ash', reason: 'launch' }],
        ['TurnRecorded', 2],
        ['ToolCallStarted', 3],
        ['RunInterrupted', 9, { cause: 'crashed' }],
        ['RunStarted', 10, { epoch: 2, worker: 'elm', reason: 'revival' }],
      ),
    );
    expect(runs).toMatchObject([
      { epoch: 1, worker: 'ash', end: 'interrupted', cause: 'crashed', turns: 1, calls: 1 },
      { epoch: 2, worker: 'elm', reason: 'revival', end: 'open', endedAt: null, turns: 0 },
    ]);
  });

  it('what comes after the end of a run is not counted to it', () => {
    const runs = projectRuns(
      history(['RunStarted', 1], ['AgentCompleted', 2], ['OutcomeDelivered', 3], ['TurnRecorded', 4]),
    );
    expect(runs).toMatchObject([{ end: 'completed', turns: 0 }]);
  });

  it('places every run on one track that ends now while a run is open', () => {
    const runs = projectRuns(history(['RunStarted', 0], ['RunParked', 10], ['RunStarted', 30]));
    expect(runSpans(runs, Date.UTC(2026, 4, 4, 9, 0, 40))).toEqual([
      { start: 0, length: 0.25 },
      { start: 0.75, length: 0.25 },
    ]);
  });

  it('a single run without length fills the track instead of dividing by nothing', () => {
    const runs = projectRuns(history(['RunStarted', 0], ['RunReleased', 0]));
    expect(runSpans(runs, 0)).toEqual([{ start: 0, length: 1 }]);
  });
});
