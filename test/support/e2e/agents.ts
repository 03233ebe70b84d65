import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../../apps/cli/src/api/api-client.js';
import type { AgentAnswer, RecordAnswer, WorkerAnswer } from '../../../apps/cli/src/api/api-shapes.js';
import { recordsOf } from '../../../apps/cli/src/demo/verify-demo.js';
import { until } from './processes.js';

export { recordsOf };

export interface SessionOptions {
  readonly projectRoot: string;
  readonly model: string;
  readonly approvalMode?: string;
  readonly history?: readonly object[];
}

/** Opens a session with a history, in yolo mode unless told otherwise. */
export async function openSession(api: ApiClient, options: SessionOptions): Promise<string> {
  const { projectRoot, model, approvalMode = 'yolo', history = defaultHistory } = options;
  const body = {
    projectRoot,
    model,
    approvalMode,
    systemInstruction: 'You test a fork runner. Do as the script says.',
    history: { format: 'openai', messages: history },
  };
  return (await api.post<{ id: string }>('/v1/sessions', body)).id;
}

const defaultHistory = [
  { role: 'user', content: 'Remember the number 42.' },
  { role: 'assistant', content: 'I will remember 42.' },
];

/** Launches a fork; without `forkTools` it is unrestricted. */
export async function launchFork(
  api: ApiClient,
  sessionId: string,
  prompt: string,
  forkTools?: readonly string[],
): Promise<string> {
  const tools = forkTools === undefined ? {} : { fork_tools: forkTools };
  const body = { description: 'a test fork', prompt, subagent_type: 'fork', ...tools };
  return (await api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, body)).id;
}

const ended = new Set(['completed', 'failed', 'cancelled']);

/** Waits until an agent has ended, and answers it. */
export function untilEnded(api: ApiClient, agentId: string, timeoutMs = 60_000): Promise<AgentAnswer> {
  return untilAgent(api, agentId, (agent) => ended.has(agent.status), timeoutMs);
}

export async function untilAgent(
  api: ApiClient,
  agentId: string,
  holds: (agent: AgentAnswer) => boolean,
  timeoutMs = 60_000,
): Promise<AgentAnswer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const agent = await api.get<AgentAnswer>(`/v1/agents/${agentId}`);
    if (holds(agent)) return agent;
    if (performance.now() > deadline)
      throw new Error(
        `Agent ${agentId} is still ${agent.status} at epoch ${agent.epoch} after ${timeoutMs} ms.`,
      );
    await pause(50);
  }
}

/** Waits until a session's list of agents is as it should be, and answers it. The list follows the log, a moment behind an agent's own page. */
export async function untilListed(
  api: ApiClient,
  sessionId: string,
  holds: (agents: readonly AgentAnswer[]) => boolean,
): Promise<readonly AgentAnswer[]> {
  let items: readonly AgentAnswer[] = [];
  await until(`the agents of session ${sessionId} to be listed`, async () => {
    ({ items } = await api.get<{ items: readonly AgentAnswer[] }>(`/v1/agents?session=${sessionId}`));
    return holds(items);
  });
  return items;
}

/** Waits until no worker holds an agent. The list of workers follows the log, a moment behind an agent's own page. */
export async function untilNoneHeld(api: ApiClient): Promise<void> {
  await until('workers that hold no agent', async () => {
    const { items } = await api.get<{ items: readonly WorkerAnswer[] }>('/v1/workers');
    return items.length > 0 && items.every(({ agents }) => agents.length === 0);
  });
}

/** Waits until an event of a type, and with a text in its payload, is recorded. */
export async function untilRecorded(
  api: ApiClient,
  agentId: string,
  type: string,
  containing = '',
  timeoutMs = 60_000,
): Promise<RecordAnswer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = (await recordsOf(api, agentId)).find(
      (record) => record.type === type && JSON.stringify(record.data).includes(containing),
    );
    if (found !== undefined) return found;
    if (performance.now() > deadline)
      throw new Error(`No ${type} was recorded for agent ${agentId} in ${timeoutMs} ms.`);
    await pause(25);
  }
}

/** The worker that is at work on an agent, as the list of workers has it. */
export async function workerOf(api: ApiClient, agentId: string): Promise<WorkerAnswer> {
  const { run } = await api.get<AgentAnswer>(`/v1/agents/${agentId}`);
  const { items } = await api.get<{ items: readonly WorkerAnswer[] }>('/v1/workers');
  const worker = items.find(({ id }) => id === run?.worker);
  if (worker === undefined) throw new Error(`No worker is at work on agent ${agentId}.`);
  return worker;
}

/** Kills the worker that is at work on an agent, whether its claim is recorded already or not. */
export async function killWorkersOf(api: ApiClient, agentId: string): Promise<void> {
  const { run } = await api.get<AgentAnswer>(`/v1/agents/${agentId}`);
  const { items } = await api.get<{ items: readonly WorkerAnswer[] }>('/v1/workers');
  const victims = run === null ? items : items.filter((worker) => worker.id === run.worker);
  if (victims.length === 0) throw new Error(`No worker is at work on agent ${agentId}.`);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
}
