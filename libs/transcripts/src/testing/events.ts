import type { AgentEvent, DecodedEvent, EventData, EventName, EventOf } from '../events/agent-event.js';
import { decodeEvent, encodeEvent } from '../events/event-codec.js';
import type { AssistantMessage, CallBlock } from '../events/message.js';
import type { SoundEvent } from '../events/recorded-event.js';
import type { Runtime } from '../events/session-events.js';
import type { CallKey, Outcome, Surface } from '../events/shared-schemas.js';

/** The agent of every built event, unless said otherwise. */
export const specAgentId = '01890000-0000-7000-8000-000000000001';
export const specSessionId = '01890000-0000-7000-8000-000000000002';

const noUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 };

export const specRuntime: Runtime = Object.freeze({
  projectRoot: '/project',
  model: 'scripted:spec',
  settings: '{}',
  systemInstruction: 'You help.',
  builtinTools: 'all' as const,
  mcpServers: '{}',
  declarations: null,
  approvalMode: 'default' as const,
  workflowMode: 'build',
  safeMode: false,
  bareMode: false,
  permissions: {},
});

export const specSurface: Surface = Object.freeze({
  digest: 'd',
  declared: [],
  fingerprints: [],
  mcp: [],
  executable: [],
  withheld: [],
  drift: null,
});

export const callKey = (index = 0, turn = 1, providerId = `call-${turn}-${index}`): CallKey => ({
  turn,
  index,
  providerId,
});

export const call = (name: string, id = 'call-1-0', text = '{}'): CallBlock => ({
  type: 'call',
  id,
  name,
  arguments: text,
});

export const says = (text: string, ...calls: readonly CallBlock[]): AssistantMessage => ({
  role: 'assistant',
  blocks: text === '' ? [...calls] : [{ type: 'text', text }, ...calls],
});

export const specOutcome = (fields: Partial<Outcome> = {}): Outcome => ({
  status: 'completed',
  reason: 'answered',
  result: 'done',
  partial: false,
  refusedTools: [],
  ...fields,
});

function builder<N extends EventName>(type: N, defaults: EventData<N>) {
  return (fields: Partial<EventData<N>> = {}): EventOf<N> =>
    ({ type, data: { ...defaults, ...fields } }) as EventOf<N>;
}

/** Builders named like the events; only the interesting fields need to be said. */
export const event = Object.freeze({
  sessionOpened: builder('SessionOpened', { sessionId: specSessionId, runtime: specRuntime, limits: {} }),
  runtimeChanged: builder('RuntimeChanged', { changes: {} }),
  sessionClosed: builder('SessionClosed', {}),
  sessionReopened: builder('SessionReopened', {}),
  messageAppended: builder('MessageAppended', {
    messageId: 'm1',
    source: 'user',
    run: true,
    messages: [{ role: 'user', blocks: [{ type: 'text', text: 'hello' }] }],
  }),
  launchRefused: builder('LaunchRefused', {
    code: 'AGENT_CALL_INVALID',
    message: '',
    offenders: [],
    requested: '{}',
  }),
  agentLaunched: builder('AgentLaunched', {
    agentId: specAgentId,
    kind: 'fork',
    sessionId: specSessionId,
    parentId: specSessionId,
    depth: 1,
    description: 'look',
    call: null,
    requestedTools: null,
    policy: { version: 1, kind: 'unrestricted' },
    policyDigest: '',
    mode: 'build',
    ceiling: { version: 1, kind: 'none' },
    ancestors: [],
    profile: null,
    definition: null,
    limits: {},
    onApproval: 'park',
    background: true,
    forkTurns: 'all',
    model: 'scripted:spec',
    workingDir: null,
  }),
  bootstrapRecorded: builder('BootstrapRecorded', { parent: null, digest: null, openTurn: null }),
  launchPromptRecorded: builder('LaunchPromptRecorded', {
    text: 'look',
    directive: 'look',
    guidance: null,
    restriction: null,
  }),
  runStarted: builder('RunStarted', {
    runId: 'run-1',
    epoch: 1,
    activation: 1,
    workerId: 'w1',
    reason: 'launch',
    model: 'scripted:spec',
    surface: specSurface,
  }),
  surfaceChanged: builder('SurfaceChanged', { epoch: 1, surface: specSurface }),
  turnRecorded: builder('TurnRecorded', {
    epoch: 1,
    turn: 1,
    message: says('hm'),
    stopReason: 'stop',
    usage: noUsage,
    model: 'scripted:spec',
    request: { digest: '', bytes: 0, prefixDigest: '', prefixBytes: 0 },
  }),
  toolCallAllowed: builder('ToolCallAllowed', {
    call: callKey(),
    name: 'read_file',
    tool: { name: 'read_file' },
    rule: 'unrestricted',
  }),
  toolCallRefused: builder('ToolCallRefused', {
    call: callKey(),
    name: 'edit',
    tool: { name: 'edit' },
    reason: 'not_in_allowlist',
    response: '{"error":"refused"}',
  }),
  toolCallClassified: builder('ToolCallClassified', {
    call: callKey(),
    name: 'edit',
    epoch: 1,
    verdict: 'ask',
    reason: '',
    model: 'scripted:classifier',
    usage: noUsage,
  }),
  toolCallStarted: builder('ToolCallStarted', {
    call: callKey(),
    name: 'read_file',
    epoch: 1,
    tool: { name: 'read_file' },
    repeatable: false,
    rule: 'unrestricted',
  }),
  toolCallFinished: builder('ToolCallFinished', {
    call: callKey(),
    name: 'read_file',
    epoch: 1,
    outcome: 'ok',
    content: 'text',
    durationMs: 1,
  }),
  historyCompacted: builder('HistoryCompacted', { upTo: 1, messages: [] }),
  runParked: builder('RunParked', {
    runId: 'run-1',
    epoch: 1,
    reason: 'approval',
    waitingFor: [],
    delayMs: null,
  }),
  runInterrupted: builder('RunInterrupted', {
    runId: 'run-1',
    epoch: 1,
    workerId: 'w1',
    cause: 'crashed',
  }),
  runReleased: builder('RunReleased', { runId: 'run-1', epoch: 1, reason: 'idle' }),
  revivalBlocked: builder('RevivalBlocked', { reason: 'workspace_missing', detail: '' }),
  waitEnded: builder('WaitEnded', { epoch: 1, reason: 'timer' }),
  approvalRequested: builder('ApprovalRequested', {
    approvalId: 'a1',
    call: callKey(),
    name: 'edit',
    tool: { name: 'edit' },
    arguments: '{}',
    argumentsDigest: '',
    fingerprint: '',
    expiresInMs: 1000,
  }),
  approvalResolved: builder('ApprovalResolved', { approvalId: 'a1', decision: 'allow' }),
  approvalExpired: builder('ApprovalExpired', { approvalId: 'a1' }),
  questionAsked: builder('QuestionAsked', { questionId: 'q1', call: callKey(), text: 'why?', to: 'user' }),
  questionAnswered: builder('QuestionAnswered', { questionId: 'q1', text: 'because' }),
  questionExpired: builder('QuestionExpired', { questionId: 'q1' }),
  messageQueued: builder('MessageQueued', { messageId: 'm1', from: 'key:k1', text: 'also' }),
  messageDelivered: builder('MessageDelivered', { messageIds: ['m1'] }),
  outcomeDelivered: builder('OutcomeDelivered', { agentId: specAgentId, activation: 1, text: 'it ended' }),
  agentCompleted: builder('AgentCompleted', { epoch: 1, activation: 1, outcome: specOutcome() }),
  agentFailed: builder('AgentFailed', {
    epoch: 1,
    activation: 1,
    outcome: specOutcome({ status: 'failed', reason: 'turn_limit', partial: true }),
  }),
  agentCancelled: builder('AgentCancelled', {
    epoch: 1,
    activation: 1,
    by: 'key:k1',
    outcome: specOutcome({ status: 'cancelled', reason: 'cancelled', partial: true }),
  }),
  agentResumed: builder('AgentResumed', {
    activation: 2,
    messageId: 'm2',
    mode: 'build',
    ceiling: { version: 1, kind: 'none' },
  }),
}) satisfies { readonly [N in EventName as Uncapitalize<N>]: () => EventOf<N> };

/** The events as the log would hold them, one second apart, each through the codec. */
export function recorded(
  events: readonly AgentEvent[],
  stream = specAgentId,
): readonly (DecodedEvent & { readonly record: SoundEvent })[] {
  return events.map((fact, index) => {
    const read = decodeEvent(recordOf(fact, index + 1, stream));
    if (read.type === 'unknown' || read.type === 'damaged') throw new Error(`${fact.type} is not known.`);
    return read;
  });
}

/** One event as a record at `version`; hashes are made up and chain. */
export function recordOf(fact: AgentEvent, version: number, stream = specAgentId): SoundEvent {
  const id = `01890000-0000-7000-9000-${version.toString(16).padStart(12, '0')}`;
  return {
    ...encodeEvent(fact, id),
    actor: 'system:spec',
    tenant: 'tenant-a',
    stream,
    version,
    recordedAt: new Date(Date.UTC(2030, 0, 1, 0, 0, version)).toISOString(),
    previousHash: version === 1 ? null : hashOf(version - 1),
    hash: hashOf(version),
    place: { generation: 1, xid: BigInt(version), position: BigInt(version) },
  };
}

const hashOf = (version: number): string => version.toString(16).padStart(64, '0');
