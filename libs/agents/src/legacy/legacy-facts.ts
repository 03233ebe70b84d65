import { createHash } from 'node:crypto';
import { NO_CEILING } from '#policy';
import { type AgentEvent, isAgentId, type StreamHead, textOfMessage } from '#transcripts';
import { chunkMessages } from '../pure/chunk-messages.js';
import { turnsOf } from './legacy-turns.js';
import type { LegacyAgent } from './read-legacy-agent.js';

/** The ids that a legacy agent gets here: its own where they are ids, else the same ones at every import. */
export interface LegacyIds {
  readonly agentId: string;
  /** The session that holds what it inherited. One for each agent: each inherited a history of its own. */
  readonly sessionId: string;
}

export function legacyIds({ meta }: LegacyAgent): LegacyIds {
  const { agentId, parentSessionId } = meta;
  return {
    agentId: isAgentId(agentId) ? agentId : derivedId('agent', parentSessionId, agentId),
    sessionId: derivedId('session', parentSessionId, agentId),
  };
}

/** A UUID of the kind whose content its maker chooses (version 8). */
function derivedId(...parts: readonly string[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['offshoot-legacy', ...parts]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const approvalModes = ['plan', 'default', 'auto-edit', 'auto', 'yolo'] as const;

/** The session that stands for the parent: the runtime that the agent is rebound to, and the history that it inherited. */
export function legacySession(
  agent: LegacyAgent,
  { sessionId }: LegacyIds,
  model: string,
): readonly AgentEvent[] {
  const { meta, inherited, policy } = agent;
  const assumed = policy.isAssumed ? ' (no list was stored: unrestricted)' : '';
  const approvalMode = approvalModes.find((mode) => mode === meta.resolvedApprovalMode) ?? 'default';
  const runtime = {
    projectRoot: agent.cwd ?? '/',
    model,
    settings: '{}',
    systemInstruction: agent.systemInstruction,
    builtinTools: 'all' as const,
    mcpServers: '{}',
    declarations: null,
    approvalMode,
    workflowMode: 'build',
    safeMode: false,
    bareMode: false,
    permissions: {},
  };
  const history = chunkMessages(inherited).map((messages, index): AgentEvent => ({
    type: 'MessageAppended',
    data: { messageId: `legacy-${index + 1}`, source: 'history', run: false, messages: [...messages] },
  }));
  const title = `Imported from ${meta.agentId}${assumed}`;
  return [{ type: 'SessionOpened', data: { sessionId, title, runtime, limits: {} } }, ...history];
}

export interface LegacyLaunch {
  readonly ids: LegacyIds;
  readonly model: string;
  /** Where the session stands that holds the inherited history. */
  readonly inherited: StreamHead;
  readonly runId: string;
  readonly workerId: string;
}

/** The agent itself: its launch, its one run up to where the transcript ends, and its end, or the block that it waits behind. */
export function legacyFork(agent: LegacyAgent, launch: LegacyLaunch): readonly AgentEvent[] {
  return [
    ...launchFacts(agent, launch),
    runStarted(launch),
    ...turnsOf(agent.own, launch.model),
    ending(agent),
  ];
}

function launchFacts(agent: LegacyAgent, { ids, model, inherited }: LegacyLaunch): readonly AgentEvent[] {
  const { policy } = agent.policy;
  return [
    {
      type: 'AgentLaunched',
      data: {
        agentId: ids.agentId,
        kind: 'fork',
        sessionId: ids.sessionId,
        parentId: ids.sessionId,
        depth: 1,
        description: agent.meta.description,
        call: null,
        requestedTools: agent.requestedTools,
        policy,
        policyDigest: createHash('sha256').update(JSON.stringify(policy)).digest('hex'),
        mode: 'build',
        ceiling: NO_CEILING,
        ancestors: [],
        profile: null,
        definition: null,
        limits: {},
        onApproval: 'park',
        background: true,
        forkTurns: 'all',
        model,
        workingDir: null,
      },
    },
    {
      type: 'BootstrapRecorded',
      data: {
        parent: { agentId: ids.sessionId, version: inherited.version },
        digest: inherited.hash,
        openTurn: null,
      },
    },
    {
      type: 'LaunchPromptRecorded',
      data: { text: agent.prompt, directive: agent.prompt, guidance: null, restriction: null },
    },
  ];
}

function runStarted({ model, runId, workerId }: LegacyLaunch): AgentEvent {
  const surface = {
    digest: '',
    declared: [],
    fingerprints: [],
    mcp: [],
    executable: [],
    withheld: [],
    drift: null,
  };
  return {
    type: 'RunStarted',
    data: { runId, epoch: 1, activation: 1, workerId, reason: 'launch', model, surface },
  };
}

/** An agent that had not ended waits for a person: it must not go on by itself in another place and time. */
function ending({ meta, own }: LegacyAgent): AgentEvent {
  const last = own.findLast(({ role }) => role === 'assistant');
  const result = last === undefined ? '' : textOfMessage(last);
  const rest = { result, refusedTools: [] };
  const at = { epoch: 1, activation: 1 };
  switch (meta.status) {
    case 'completed':
      return {
        type: 'AgentCompleted',
        data: { ...at, outcome: { status: 'completed', reason: 'answered', partial: false, ...rest } },
      };
    case 'failed':
      return {
        type: 'AgentFailed',
        data: { ...at, outcome: { status: 'failed', reason: 'legacy_failed', partial: true, ...rest } },
      };
    case 'cancelled':
      return {
        type: 'AgentCancelled',
        data: {
          ...at,
          by: 'legacy',
          outcome: { status: 'cancelled', reason: 'cancelled', partial: true, ...rest },
        },
      };
    case 'running':
    case 'paused':
      return {
        type: 'RevivalBlocked',
        data: { reason: 'import_legacy', detail: 'It was imported before it had ended; revive it to go on.' },
      };
  }
}
