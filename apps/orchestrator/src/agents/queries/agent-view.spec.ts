import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '#agents';
import { absentAgent, type AgentMeta } from '#transcripts';
import { agentSummary, agentView } from './agent-view.js';

const usage = { inputTokens: 20, cachedTokens: 60, cacheWriteTokens: 20, outputTokens: 5, costUsd: 0.5 };
const usageOf = (facts: Partial<AgentMeta>) => agentSummary({ ...absentAgent('a'), ...facts }).usage;

describe('[P10] the usage of an agent as the API shows it', () => {
  it('has the four kinds of token apart, their cost, and the share that came from the cache', () => {
    expect(usageOf({ turns: 2, toolCalls: 3, usage })).toEqual({
      turns: 2,
      toolCalls: 3,
      ...usage,
      cachedShare: 0.6,
      unreportedTurns: 0,
      unpricedTurns: 0,
    });
  });

  it('is unknown, and not nothing, when its provider tells none', () => {
    const none = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 };
    const unknown = {
      inputTokens: null,
      outputTokens: null,
      costUsd: null,
      cachedShare: null,
      unreportedTurns: 2,
    };
    expect(usageOf({ turns: 2, usage: none, unreportedTurns: 2 })).toMatchObject(unknown);
  });

  it('says of how many turns it knows nothing', () => {
    expect(usageOf({ turns: 2, usage, unreportedTurns: 1, unpricedTurns: 2 })).toMatchObject({
      inputTokens: 20,
      unreportedTurns: 1,
      unpricedTurns: 2,
    });
    expect(usageOf({})).toMatchObject({ inputTokens: 0, costUsd: 0 });
  });
});

it("the limits of an agent are those it is held to: its own where they are lower, the operator's elsewhere", () => {
  const meta = { ...absentAgent('a'), limits: { maxTurns: 5, maxToolCalls: 9_000 } };
  const { limits } = agentView(meta, { ...defaultLimits, maxToolCalls: 100, maxSeconds: 60 });
  expect(limits).toEqual({ ...defaultLimits, maxTurns: 5, maxToolCalls: 100, maxSeconds: 60 });
});
