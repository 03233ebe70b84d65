import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordsOf } from '../../../apps/cli/src/demo/verify-demo.js';
import type { TestSystem } from './start-system.js';

/** An answer as it came, problem or not. */
export interface RawAnswer {
  readonly status: number;
  readonly location: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A session, or an agent in its place, as policy tests use it: launches with problems as values, and facts of the log. */
export class PolicySession {
  private constructor(
    private readonly system: TestSystem,
    private readonly key: string,
    readonly id: string,
  ) {}

  /** Opens a session with a short history. */
  static async open(system: TestSystem, runtime: object): Promise<PolicySession> {
    const key = (await readFile(join(system.dataDir, 'admin.key'), 'utf8')).trim();
    const { id } = await system.api.post<{ id: string }>('/v1/sessions', {
      systemInstruction: 'You test policies. Do as the script says.',
      history: { format: 'openai', messages: [{ role: 'user', content: 'Hello.' }] },
      ...runtime,
    });
    return new PolicySession(system, key, id);
  }

  /** The same, with another agent as the one that launches. */
  as(agentId: string): PolicySession {
    return new PolicySession(this.system, this.key, agentId);
  }

  launch(call: object): Promise<RawAnswer> {
    return this.post(`/v1/sessions/${this.id}/agents`, call);
  }

  /** Launches what must launch; the id of the agent. */
  async launched(call: object): Promise<string> {
    const { status, body } = await this.launch(call);
    if (status !== 202) throw new Error(`The launch was refused: ${JSON.stringify(body)}`);
    return String(body['id']);
  }

  post(path: string, body: object): Promise<RawAnswer> {
    return this.send('POST', path, body);
  }

  /** Changes the runtime of the session. */
  changeRuntime(changes: object): Promise<RawAnswer> {
    return this.send('PATCH', `/v1/sessions/${this.id}/runtime`, changes);
  }

  /** Types of all events of the session, in order. */
  async types(): Promise<readonly string[]> {
    return (await recordsOf(this.system.api, this.id)).map(({ type }) => type);
  }

  /** Ids of the agents of the session, without itself. */
  async agents(): Promise<readonly string[]> {
    const path = `/v1/agents?session=${this.id}`;
    const { items } = await this.system.api.get<{ items: readonly { id: string }[] }>(path);
    return items.map(({ id }) => id).filter((id) => id !== this.id);
  }

  /** Name and reason of every refused call of an agent. */
  async refusals(agentId: string): Promise<readonly (readonly unknown[])[]> {
    const records = await recordsOf(this.system.api, agentId);
    return records
      .filter(({ type }) => type === 'ToolCallRefused')
      .map(({ data }) => [data['name'], data['reason']]);
  }

  /** What was executable in each run of an agent. */
  async executableSets(agentId: string): Promise<readonly (readonly string[])[]> {
    const records = await recordsOf(this.system.api, agentId);
    return records
      .filter(({ type }) => type === 'RunStarted')
      .map(({ data }) => (data['surface'] as { executable: readonly string[] }).executable);
  }

  /** The surface that an agent last ran with. */
  async surface(agentId: string): Promise<{ readonly declared: readonly string[] }> {
    const path = `/v1/agents/${agentId}`;
    return (await this.system.api.get<{ surface: { declared: readonly string[] } }>(path)).surface;
  }

  private async send(method: string, path: string, body: object): Promise<RawAnswer> {
    const response = await fetch(`${this.system.api.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      body: (await response.json()) as Readonly<Record<string, unknown>>,
    };
  }
}
