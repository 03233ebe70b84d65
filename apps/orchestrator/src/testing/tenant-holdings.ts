import { loadMeta, type AgentEvent, encodeEvent, type EventContext } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import { LogTools } from '../log/log-tools.js';
import type { TestOrchestrator } from './test-orchestrator.js';

/** What a tenant has: a session, a fork of it that made a picture and waits for a person, and what that person is asked. */
export interface TenantHoldings {
  readonly key: string;
  readonly keyId: string;
  readonly session: string;
  readonly fork: string;
  /** Of the record of the fork that names a picture. */
  readonly pictureVersion: number;
  readonly approval: string;
  readonly question: string;
}

/** Opens a session and launches a fork over HTTP under a new admin key of the tenant, and records what a worker would have. */
export async function tenantHoldings(
  orchestrator: TestOrchestrator,
  tenant: string,
): Promise<TenantHoldings> {
  const { id: keyId, key } = await orchestrator.keyOf(tenant, 'admin');
  const opened = await orchestrator.send('POST', '/v1/sessions', {
    key,
    json: {
      projectRoot: import.meta.dirname,
      model: 'scripted:none',
      systemInstruction: `Works for ${tenant}.`,
      history: { format: 'openai', messages: [{ role: 'user', content: 'Hello.' }] },
    },
  });
  const session = idOf(opened.text);
  const call = { description: 'a fork', prompt: 'Look.', subagent_type: 'fork' };
  const launched = await orchestrator.send('POST', `/v1/sessions/${session}/agents`, { key, json: call });
  const fork = idOf(launched.text);
  const [approval, question, runId] = [newId(), newId(), newId()];
  const { store } = orchestrator.app.get(LogTools);
  const context: EventContext = { actor: `worker:${newId()}`, tenant };
  const { hash: blob, sizeBytes } = await store.saveBlob(Buffer.from(`A picture of ${tenant}.`));
  const asked: readonly AgentEvent[] = [
    event.runStarted({ runId, workerId: newId() }),
    event.turnRecorded(),
    event.toolCallFinished({ picture: { mediaType: 'image/png', blob, sizeBytes } }),
    event.approvalRequested({ approvalId: approval, expiresInMs: 3_600_000 }),
    event.questionAsked({ questionId: question }),
    event.runParked({ runId, waitingFor: [approval, question] }),
  ];
  const { head } = await loadMeta(store, fork);
  const [first, ...rest] = asked.map((fact) => encodeEvent(fact, newId()));
  if (first === undefined) throw new Error('There is nothing to record.');
  const result = await store.append({ stream: fork, expected: head, events: [first, ...rest], context });
  if (!result.ok) throw new Error(result.reason);
  return { key, keyId, session, fork, pictureVersion: head.version + 3, approval, question };
}

function idOf(text: string): string {
  const { id } = JSON.parse(text) as { readonly id?: string };
  if (id === undefined) throw new Error(`There is no id in the answer: ${text}`);
  return id;
}
