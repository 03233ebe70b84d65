import { parseProfile, type Profile, rejected } from '#policy';
import {
  type AgentEvent,
  type AgentMeta,
  decodeEvent,
  encodeEvent,
  type EventData,
  loadMeta,
  type NewEvent,
} from '#transcripts';
import {
  event,
  InMemoryTranscriptStore,
  newId,
  specRuntime,
  testContext,
  wholeStream,
} from '#transcripts/testing';
import { LocalPolicyFiles } from '../../files/local-policy-files.js';
import { launchAgent } from '../launch-agent.js';
import type { LaunchRequest, LaunchTools } from '../launch-request.js';
import { type LocalCustomisation, PolicyFiles } from '../policy-files.js';

/** Files in memory; what was read is counted. Definitions are the bundled ones. */
export class KnownFiles extends PolicyFiles {
  readonly profiles = new Map<string, string>();
  reads = 0;
  // A user folder that does not exist: nothing of the machine that runs the spec is read.
  private readonly bundled = new LocalPolicyFiles({ userFolder: '/nowhere/agents' });

  override readProfile(_from: LocalCustomisation, name: Profile['name']) {
    this.reads += 1;
    const text = this.profiles.get(name);
    if (text === undefined)
      return Promise.resolve(rejected('PROFILE_FILE_INVALID', 'missing', { offenders: [name] }));
    return Promise.resolve(parseProfile(Buffer.from(text), name));
  }

  override readDefinition(from: LocalCustomisation, name: string) {
    return this.bundled.readDefinition(from, name);
  }
}

/** A session with a store and files in memory, and what specs ask of it. */
export async function opened(fields: Partial<EventData<'SessionOpened'>['runtime']> = {}) {
  const store = new InMemoryTranscriptStore();
  const files = new KnownFiles();
  const tools: LaunchTools = { store, newId, files, maxDepth: 2 };
  const sessionId = newId();
  const record = async (stream: string, ...events: readonly AgentEvent[]) => {
    const { head } = await loadMeta(store, stream);
    const [first, ...rest] = events.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) return;
    await store.append({ stream, expected: head, events: [first, ...rest], context: testContext });
  };
  await record(sessionId, event.sessionOpened({ sessionId, runtime: { ...specRuntime, ...fields } }));
  const launch = (parameters: Record<string, unknown> = {}, more: Partial<LaunchRequest> = {}) =>
    launchAgent(tools, {
      callerId: sessionId,
      call: { description: 'look', prompt: 'look around', subagent_type: 'fork', ...parameters },
      context: testContext,
      key: null,
      isHttp: true,
      ...more,
    });
  const streams = async () => new Set((await store.readLog(null)).events.map(({ stream }) => stream)).size;
  const refusals = async (stream = sessionId) =>
    (await wholeStream(store, stream))
      .map(decodeEvent)
      .flatMap((read) => (read.type === 'LaunchRefused' ? [read.data] : []));
  return { store, files, tools, sessionId, record, launch, streams, refusals };
}

export type Session = Awaited<ReturnType<typeof opened>>;

/** The agent of a launch that must succeed. */
export async function launchedBy(
  session: Session,
  ...[parameters, more]: Parameters<Session['launch']>
): Promise<AgentMeta> {
  const result = await session.launch(parameters, more);
  if (!result.ok) throw new Error(result.rejection.message);
  return loadMeta(session.store, result.agentId);
}
