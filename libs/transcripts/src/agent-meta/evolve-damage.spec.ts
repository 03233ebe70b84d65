import { describe, expect, it } from '@jest/globals';
import { requestRevival } from '../agent/end-run.js';
import type { AgentEvent, ReadEvent } from '../events/agent-event.js';
import { decodeEvent } from '../events/event-codec.js';
import { event, recordOf } from '../testing/events.js';
import { absentAgent, type AgentMeta } from './agent-meta.js';
import { evolve } from './evolve.js';

const launch = [event.agentLaunched(), event.bootstrapRecorded(), event.launchPromptRecorded()];
const noted = event.revivalBlocked({ reason: 'chain_broken', detail: 'version 5' });

/** The fold of these facts, of which the one at `version` is not what was recorded. */
function foldOf(facts: readonly AgentEvent[], version: number | null): AgentMeta {
  const read = facts.map((fact, index): ReadEvent => {
    const { data, ...envelope } = recordOf(fact, index + 1);
    const isDamaged = index + 1 === version;
    return decodeEvent(isDamaged ? { ...envelope, fault: 'altered' } : { ...envelope, data });
  });
  return read.reduce(evolve, absentAgent(''));
}

describe('a fold that meets a damaged event', () => {
  it('[LOG-5] reads nothing out of it, its type, tenant and time neither', () => {
    const meta = foldOf([event.agentLaunched()], 1);
    expect(meta).toMatchObject({
      status: 'blocked',
      tenant: '',
      createdAt: '',
      launch: null,
      head: { version: 1 },
    });
  });

  it.each([
    ['an agent that ran', [event.runStarted()], event.turnRecorded()],
    ['one that had ended', [event.runStarted(), event.agentCompleted()], event.agentResumed()],
    ['one that waited', [event.runStarted(), event.runParked()], event.waitEnded()],
  ])('[LOG-5] blocks %s, and nothing behind it lets the agent go on', (_what, before, lost) => {
    const damagedAt = launch.length + before.length + 1;
    const behind = [
      event.waitEnded(),
      event.agentResumed(),
      event.messageQueued(),
      event.runStarted({ epoch: 2 }),
    ];
    const meta = foldOf([...launch, ...before, lost, ...behind], damagedAt);
    expect(meta).toMatchObject({
      status: 'blocked',
      run: null,
      waitUntilMs: null,
      blocked: { reason: 'chain_broken' },
      damage: { version: damagedAt, fault: 'altered' },
      pending: [],
      head: { version: damagedAt + behind.length },
    });
    expect(meta.unreadablePolicy).not.toBeNull();
    expect(requestRevival(meta)).toMatchObject({ ok: false, code: 'AGENT_DAMAGED' });
  });

  it('[LOG-5] ends as cancelled when somebody gives the agent up', () => {
    expect(foldOf([...launch, event.runStarted(), event.agentCancelled()], 4).status).toBe('cancelled');
  });

  it('[LOG-5] lets the agent be revived once when it verifies again, and an ended one stay ended', () => {
    const facts = [...launch, event.runStarted(), event.agentCompleted(), noted];
    expect(foldOf(facts, 5)).toMatchObject({ status: 'blocked', isDamageNoted: true });
    const restored = foldOf(facts, null);
    expect(restored).toMatchObject({ status: 'completed', isDamageNoted: true, damage: null });
    expect(requestRevival(restored)).toMatchObject({
      ok: true,
      events: [{ type: 'WaitEnded', data: { reason: 'damage_mended' } }],
    });
    const revived = foldOf([...facts, event.waitEnded({ reason: 'damage_mended' })], null);
    expect(revived).toMatchObject({ status: 'completed', isDamageNoted: false });
    expect(requestRevival(revived)).toMatchObject({ ok: false, code: 'AGENT_ENDED' });
  });
});
