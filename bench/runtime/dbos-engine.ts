import { newId } from '#platform';
import type { Message } from '#transcripts';
import { builtInDefinitions, builtInTools } from '../../apps/worker/src/tools/built-in-tools.js';
import type { Model } from '../../apps/worker/src/models/model.js';
import { loadPeer } from '../harness/load-peer.js';
import type { Engine } from './engine.js';
import { history, systemInstruction } from './workload.js';

/** The part of DBOS that is used here. */
interface Dbos {
  setConfig(config: object): void;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  registerWorkflow<Given extends unknown[], End>(
    work: (...given: Given) => Promise<End>,
    options: { readonly name: string },
  ): (...given: Given) => Promise<End>;
  startWorkflow<Given extends unknown[], End>(
    workflow: (...given: Given) => Promise<End>,
  ): (...given: Given) => Promise<{ getResult(): Promise<End> }>;
  runStep<End>(work: () => Promise<End>, options: { readonly name: string }): Promise<End>;
}

export interface DbosOptions {
  readonly databaseUrl: string;
  readonly projectRoot: string;
  readonly model: Model;
}

const declarations = Array.from(builtInDefinitions.values(), ({ name, description, parameters }) => ({
  name,
  description,
  parametersText: parameters,
}));

/**
 * Workflows of DBOS whose steps are the same model request and the same tool call. Null when it is not installed. It runs in
 * the process that launches, without queue: what it does at its fastest.
 */
export async function startDbos(options: DbosOptions): Promise<Engine | null> {
  const sdk = await loadPeer<{ DBOS: Dbos }>('@dbos-inc/dbos-sdk');
  if (sdk === null) return null;
  const { DBOS: dbos } = sdk;
  dbos.setConfig({
    name: 'bench',
    systemDatabaseUrl: options.databaseUrl,
    logLevel: 'error',
    tracingEnabled: false,
  });
  const fork = dbos.registerWorkflow((prompt: string) => work(dbos, options, prompt), { name: newId() });
  await dbos.launch();
  return {
    name: 'DBOS',
    runFork: async () => {
      const handle = await dbos.startWorkflow(fork)('Read the file and report.');
      await handle.getResult();
    },
    stop: () => dbos.shutdown(),
  };
}

async function work(dbos: Dbos, options: DbosOptions, prompt: string): Promise<string> {
  const messages: Message[] = [...history, { role: 'user', blocks: [{ type: 'text', text: prompt }] }];
  for (;;) {
    const blocks = await dbos.runStep(() => ask(options.model, messages), { name: 'model' });
    messages.push({ role: 'assistant', blocks });
    const call = blocks.find((block) => block.type === 'call');
    if (call?.type !== 'call') return 'ended';
    const content = await dbos.runStep(() => read(call.arguments, options.projectRoot), { name: 'tool' });
    const { id: callId, name } = call;
    messages.push({ role: 'tool', blocks: [{ type: 'result', callId, name, content, isError: false }] });
  }
}

async function ask(model: Model, messages: readonly Message[]) {
  const request = {
    ...{ model: 'bench', system: systemInstruction, declarations, settings: '{}' },
    ...{ messages, inheritedLengths: [] },
  };
  return [...(await model.stream(request, { signal: new AbortController().signal })).blocks];
}

async function read(argumentsText: string, projectRoot: string): Promise<string> {
  const tool = builtInTools.get('read_file');
  if (tool === undefined) throw new Error('There is no read_file.');
  const { text } = await tool.execute({
    argumentsText,
    arguments: JSON.parse(argumentsText) as unknown,
    context: {
      ...{ projectRoot, agentId: 'a', lineage: [], tenant: 'default', runId: 'r', idempotencyKey: 'k' },
      call: { turn: 1, index: 0, providerId: 'c' },
      signal: new AbortController().signal,
      env: () => ({}),
    },
  });
  return text;
}
