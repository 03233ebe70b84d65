import type { ApiClient } from '../../apps/cli/src/api/api-client.js';
import type { Engine } from './engine.js';
import { runProduct, type RunningProductOptions } from './running-product.js';
import { AT_ONCE, systemInstruction } from './workload.js';

const ENDS = ['AgentCompleted', 'AgentFailed', 'AgentCancelled'];

export interface ProductOptions extends RunningProductOptions {
  readonly projectRoot: string;
}

/** The whole product in processes of its own: an orchestrator and one worker with sixteen places. */
export interface Product extends Engine {
  /** Launches a fork that answers at once; resolves when the launch is accepted. */
  launchShort(): Promise<string>;
  untilEnded(agentId: string): Promise<void>;
}

export async function startProduct(options: ProductOptions): Promise<Product> {
  const running = await runProduct(options);
  const { api } = running;
  const history = {
    format: 'openai',
    messages: Array.from({ length: 4 }, (_, round) => [
      { role: 'user', content: `Question ${round}: ${'what does it say? '.repeat(20)}` },
      { role: 'assistant', content: `Answer ${round}: ${'it says this. '.repeat(20)}` },
    ]).flat(),
  };
  const { projectRoot } = options;
  const runtime = { projectRoot, model: 'openai:bench', approvalMode: 'yolo', systemInstruction, history };
  const session = (await api.post<{ id: string }>('/v1/sessions', runtime)).id;
  const launch = async (prompt: string): Promise<string> => {
    const call = { description: 'read', prompt, subagent_type: 'fork' };
    return (await api.post<{ id: string }>(`/v1/sessions/${session}/agents`, call)).id;
  };
  const ends = new Ends();
  const listening = new AbortController();
  const listener = ends.listen(api, listening.signal);
  const untilEnded = (agentId: string): Promise<void> => ends.of(agentId);
  return {
    name: 'Offshoot',
    runFork: async () => untilEnded(await launch('Read the file and report.')),
    launchShort: () => launch(AT_ONCE),
    untilEnded,
    stop: async () => {
      listening.abort();
      await listener;
      await running.stop();
    },
  };
}

/** The ends of agents as the event stream tells them, so that nobody polls while the product is measured. */
class Ends {
  private readonly seen = new Map<string, PromiseWithResolvers>();

  of(agentId: string): Promise<void> {
    return this.endOf(agentId).promise;
  }

  async listen(api: ApiClient, signal: AbortSignal): Promise<void> {
    try {
      for await (const line of api.lines(`/v1/events?type=${ENDS.join(',')}`, signal)) {
        const { subject, type } = line as { subject?: string; type?: string };
        if (subject === undefined || !ENDS.some((end) => type?.endsWith(end) === true)) continue;
        if (type?.endsWith('AgentCompleted') === true) this.endOf(subject).resolve();
        else this.endOf(subject).reject(new Error(`A fork ended with ${type}.`));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private endOf(agentId: string): PromiseWithResolvers {
    const known = this.seen.get(agentId) ?? withResolvers();
    this.seen.set(agentId, known);
    return known;
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

function withResolvers(): PromiseWithResolvers {
  let settle: Pick<PromiseWithResolvers, 'resolve' | 'reject'> = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}
