import { createHash } from 'node:crypto';
import { type AgentCall, composeForkDirective, frameProfileGuidance } from '#policy';
import type { CallKey, EventData } from '#transcripts';
import type { ParentSnapshot } from './parent-snapshot.js';
import type { ResolvedLaunch } from './resolve-launch.js';

export interface LaunchFactsInput {
  readonly agentId: string;
  readonly call: AgentCall;
  readonly parent: ParentSnapshot;
  readonly resolved: ResolvedLaunch;
  readonly key: CallKey | null;
  /** The call as received. */
  readonly requested: unknown;
}

export interface LaunchFacts {
  readonly launched: EventData<'AgentLaunched'>;
  readonly bootstrap: EventData<'BootstrapRecorded'>;
  readonly prompt: EventData<'LaunchPromptRecorded'>;
}

/** The three records of a launch, from what was decided. Pure. */
export function launchFacts(input: LaunchFactsInput): LaunchFacts {
  return { launched: launchedOf(input), bootstrap: bootstrapOf(input), prompt: promptOf(input) };
}

function launchedOf(input: LaunchFactsInput): EventData<'AgentLaunched'> {
  const { agentId, call, parent, resolved, key, requested } = input;
  const { policy, ceiling, profile, definition } = resolved;
  return {
    agentId,
    ...lineageOf(parent),
    ...byKind(input),
    description: call.description,
    call: key,
    ...(call.toolCallId === undefined ? {} : { toolCallId: call.toolCallId }),
    requestedTools: requestedTools(requested),
    policy,
    policyDigest: createHash('sha256').update(JSON.stringify(policy)).digest('hex'),
    mode: parent.runtime.workflowMode,
    ceiling,
    profile: profile === null ? null : { name: profile.profile, contentHash: profile.contentHash },
    definition: definition === null ? inheritedDefinition(input) : definitionOf(definition),
    limits: { ...call.limits },
    onApproval: call.onApproval,
    background: call.background,
  };
}

function lineageOf({ sessionId, caller, ancestors }: ParentSnapshot) {
  return {
    sessionId,
    parentId: caller.agentId,
    depth: (caller.launch?.depth ?? 0) + 1,
    ancestors: ancestors.map((ancestor) => ({ ...ancestor })),
  };
}

function byKind(input: LaunchFactsInput) {
  const { call, resolved } = input;
  const own = ownModel(input);
  const more = {
    ...(own === null ? { model: input.parent.runtime.model } : { model: own, modelIsOwn: true }),
    workingDir: resolved.workingDir,
  };
  if (call.launch === 'fork') return { kind: 'fork', forkTurns: call.forkTurns, ...more } as const;
  return { kind: 'subagent', forkTurns: 'all', ...more } as const;
}

/** A fork keeps the model that its history was made with; a call of a definition may name one, and then the definition. Null: the session's. */
function ownModel({ call, resolved, parent: { source } }: LaunchFactsInput): string | null {
  if (call.launch !== 'fork') return call.model ?? resolved.definition?.definition.model ?? null;
  return source.launch?.modelIsOwn === true ? source.launch.model : null;
}

function definitionOf({ tier, definition, tools }: NonNullable<ResolvedLaunch['definition']>) {
  const { name, systemPrompt, agents, contentHash } = definition;
  return { name, tier, contentHash, systemPrompt, tools: [...tools], agents: [...agents] };
}

/** A fork of a subagent's transcript keeps the prompt and the tools that its history was made with. */
function inheritedDefinition({ call, parent }: LaunchFactsInput): EventData<'AgentLaunched'>['definition'] {
  return call.launch === 'fork' ? (parent.source.launch?.definition ?? null) : null;
}

/** A fork inherits by pointer; a subagent starts fresh, which is said and not left out. */
function bootstrapOf({ call, parent }: LaunchFactsInput): EventData<'BootstrapRecorded'> {
  const { inherited, openTurn, source } = parent;
  if (call.launch !== 'fork' || inherited.version === 0)
    return { parent: null, digest: null, openTurn: null };
  return {
    parent: { agentId: source.agentId, version: inherited.version },
    digest: inherited.hash,
    openTurn,
  };
}

function promptOf({ call, resolved }: LaunchFactsInput): EventData<'LaunchPromptRecorded'> {
  const { guidance, restriction } = resolved;
  if (call.launch !== 'fork')
    return { text: call.prompt, directive: call.prompt, guidance: null, restriction: null };
  return {
    text: composeForkDirective({ directive: call.prompt, hint: guidance, notice: restriction }),
    directive: call.prompt,
    guidance: guidance === null ? null : frameProfileGuidance(guidance),
    restriction,
  };
}

/** The list as it was asked for, apart from what it was resolved to; null when none was. */
function requestedTools(requested: unknown): string | null {
  if (typeof requested !== 'object' || requested === null || !Object.hasOwn(requested, 'fork_tools'))
    return null;
  return JSON.stringify(Reflect.get(requested, 'fork_tools'));
}
