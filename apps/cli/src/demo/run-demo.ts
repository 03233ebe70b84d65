import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../api/api-client.js';
import type { AgentAnswer, EventAnswer, WorkerAnswer } from '../api/api-shapes.js';
import { type DemoForkName, demoForkNames, demoForks } from './demo-forks.js';
import { timelineLine } from './timeline.js';
import type { DemoResult } from './verify-demo.js';

export interface DemoOptions {
  readonly api: ApiClient;
  readonly model: string;
  readonly workspace: string;
  readonly print: (line: string) => void;
  /** Longest that the forks may take. */
  readonly timeoutMs: number;
}

const history = [
  { role: 'user', content: 'We are about to work on this project together. Keep your answers short.' },
  { role: 'assistant', content: 'Understood. I will look before I speak, and keep it short.' },
];

const systemInstruction =
  'You are a careful engineer working inside one project folder. Use the tools to look at things rather than guessing, change nothing that you were not asked to change, and report facts with their places. Answer in plain words.';

const ended = new Set(['completed', 'failed', 'cancelled']);

/** The main job: a session with history launches four forks, a worker dies in the middle, and all of it is watched. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { api, model, workspace } = options;
  const { id: sessionId } = await api.post<{ id: string }>('/v1/sessions', {
    title: 'Demo',
    projectRoot: workspace,
    model,
    systemInstruction,
    approvalMode: 'yolo',
    history: { format: 'openai', messages: history },
  });
  const watch = new Timeline(options, sessionId);
  try {
    await api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Which folders does this project have?' });
    await until(
      async () => (await api.get<AgentAnswer>(`/v1/agents/${sessionId}`)).status === 'idle',
      options.timeoutMs,
      'the parent to answer',
    );
    const forks = await launchAll(options, sessionId, watch);
    const wasKilled = await killMidway(options, forks.unrestricted, watch);
    await until(
      async () => (await statusesOf(api, forks)).every((status) => ended.has(status)),
      options.timeoutMs,
      'the forks to end',
    );
    await until(
      async () => (await api.get<AgentAnswer>(`/v1/agents/${sessionId}`)).status === 'idle',
      options.timeoutMs,
      'the parent to read the outcomes',
    );
    return { sessionId, forks, workspace, wasKilled, isScripted: model.startsWith('scripted:') };
  } finally {
    await watch.stop();
  }
}

async function launchAll(
  { api }: DemoOptions,
  sessionId: string,
  watch: Timeline,
): Promise<Record<DemoForkName, string>> {
  const launched = await Promise.all(
    demoForkNames.map(async (name) => {
      const { description, prompt, ...rest } = demoForks[name];
      const tools = 'forkTools' in rest ? { fork_tools: rest.forkTools } : {};
      const { id } = await api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, {
        description,
        prompt,
        subagent_type: 'fork',
        ...tools,
      });
      watch.label(id, demoForks[name].label);
      return [name, id] as const;
    }),
  );
  return Object.fromEntries(launched) as Record<DemoForkName, string>;
}

/** Kills the worker of a fork, without warning, while one of its calls is under way. */
async function killMidway(
  { api, print, timeoutMs }: DemoOptions,
  agentId: string,
  watch: Timeline,
): Promise<boolean> {
  const isUnderWay = await watch.sees(agentId, 'ToolCallStarted', 'run_shell_command', timeoutMs);
  if (!isUnderWay) return false;
  const { run } = await api.get<AgentAnswer>(`/v1/agents/${agentId}`);
  const { items } = await api.get<{ items: readonly WorkerAnswer[] }>('/v1/workers');
  const worker = items.find((item) => item.id === run?.worker);
  if (worker === undefined) return false;
  process.kill(worker.pid, 'SIGKILL');
  print(`          >>> SIGKILL to worker ${worker.id.slice(-6)} (pid ${worker.pid})`);
  return true;
}

async function statusesOf(api: ApiClient, forks: Record<DemoForkName, string>): Promise<readonly string[]> {
  const agents = await Promise.all(
    demoForkNames.map((name) => api.get<AgentAnswer>(`/v1/agents/${forks[name]}`)),
  );
  return agents.map((agent) => agent.status);
}

async function until(holds: () => Promise<boolean>, timeoutMs: number, what: string): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}.`);
    await pause(100);
  }
}

/** Prints the session's events as they are recorded, and says when one was seen. */
class Timeline {
  private readonly stopping = new AbortController();
  private readonly labels = new Map<string, string>();
  private readonly seen: EventAnswer[] = [];
  private readonly startMs = Date.now();
  private readonly following: Promise<void>;

  constructor(
    private readonly options: DemoOptions,
    sessionId: string,
  ) {
    this.labels.set(sessionId, 'parent');
    this.following = this.follow(sessionId);
  }

  label(agentId: string, label: string): void {
    this.labels.set(agentId, label);
  }

  async sees(agentId: string, type: string, tool: string, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    const isIt = (event: EventAnswer): boolean =>
      event.subject === agentId && event.type.endsWith(`.${type}`) && event.data?.['name'] === tool;
    const isOver = (event: EventAnswer): boolean =>
      event.subject === agentId && /\.Agent(Completed|Failed)$/.test(event.type);
    while (performance.now() < deadline) {
      if (this.seen.some(isIt)) return true;
      if (this.seen.some(isOver)) return false;
      await pause(25);
    }
    return false;
  }

  async stop(): Promise<void> {
    await pause(300);
    this.stopping.abort();
    await this.following;
  }

  private async follow(sessionId: string): Promise<void> {
    try {
      for await (const line of this.options.api.lines(
        `/v1/events?session=${sessionId}`,
        this.stopping.signal,
      ))
        this.show(line as EventAnswer);
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.options.print(`The timeline ended: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private show(event: EventAnswer): void {
    this.seen.push(event);
    const line = timelineLine(event, this.startMs, this.labels.get(event.subject) ?? event.subject.slice(-6));
    if (line !== null) this.options.print(line);
  }
}
