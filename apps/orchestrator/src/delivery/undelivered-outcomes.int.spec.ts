import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type AgentEvent, encodeEvent, loadMeta, type NewEvent } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import { LogTools } from '../log/log-tools.js';
import { withOperationTools } from '../operate/operation-tools.js';
import { examine } from '../operate/examine.js';
import { TestOrchestrator } from '../testing/test-orchestrator.js';

describe('an agent whose parent is not there when it ends', () => {
  let orchestrator: TestOrchestrator;
  const [parent, child] = [newId(), newId()];

  beforeAll(async () => {
    orchestrator = await TestOrchestrator.start();
  }, 60_000);
  afterAll(() => orchestrator.stop());

  const store = () => orchestrator.app.get(LogTools).store;
  const record = async (stream: string, ...facts: readonly AgentEvent[]): Promise<void> => {
    const { head: expected } = await loadMeta(store(), stream);
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) throw new Error('Nothing to record.');
    const context = { actor: 'spec', tenant: 'default' };
    const done = await store().append({ stream, expected, events: [first, ...rest], context });
    if (!done.ok) throw new Error(done.reason);
  };
  const shown = async () => {
    const { text } = await orchestrator.send('GET', `/v1/agents/${child}`, { key: orchestrator.adminKey });
    return JSON.parse(text) as { readonly undelivered: { readonly problem: string } | null };
  };
  const findings = () =>
    withOperationTools(
      orchestrator.database.url,
      () => undefined,
      async (operation) => (await examine(operation)).findings.map(({ kind, subject }) => [kind, subject]),
    );
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await pause(50);
  };

  it('[RUN-5] is shown with what keeps its outcome, by the API and the doctor, until the parent was told', async () => {
    await record(
      child,
      event.agentLaunched({ agentId: child, parentId: parent, sessionId: parent }),
      event.bootstrapRecorded(),
      event.launchPromptRecorded(),
      event.runStarted(),
      event.agentCompleted(),
    );
    await until(async () => (await shown()).undelivered !== null);
    expect((await shown()).undelivered?.problem).toContain(parent);
    expect(await findings()).toContainEqual(['outcome_undelivered', child]);
    await record(parent, event.sessionOpened({ sessionId: parent }));
    await orchestrator.app.get(pg.Pool).query('update undelivered_outcome set next_try_at = now()');
    await until(async () => (await shown()).undelivered === null);
    expect((await store().readStream(parent, 0)).events.map(({ type }) => type)).toContain(
      'OutcomeDelivered',
    );
    expect(await findings()).not.toContainEqual(['outcome_undelivered', child]);
  }, 60_000);
});
