import {
  accepted,
  type AgentCall,
  BROWSER_PROXY_BUILD_TOOLS,
  type Ceiling,
  type DefinitionRequest,
  type ForkRequest,
  type Profile,
  type ProfileProvenance,
  type Rejected,
  rejected,
  resolveForkPolicy,
  resolveSubagentPolicy,
  restrictionNotice,
  type Result,
  type StoredPolicy,
} from '#policy';
import type { LaunchTools } from './launch-request.js';
import type { ParentSnapshot } from './parent-snapshot.js';
import type { LocalCustomisation, PolicyFiles, ResolvedDefinition } from './policy-files.js';
import { resolveWorkingDir, workingDirOf } from './resolve-working-dir.js';

/** Everything that a launch decided: one snapshot, taken once. */
export interface ResolvedLaunch {
  readonly policy: StoredPolicy;
  readonly ceiling: Ceiling;
  readonly profile: ProfileProvenance | null;
  readonly guidance: string | null;
  readonly restriction: string | null;
  /** Where the agent works, relative to the project root; null for the root itself. */
  readonly workingDir: string | null;
  readonly definition: (ResolvedDefinition & { readonly tools: readonly string[] }) | null;
}

/** Resolves names to things and things to the policy that will be stored. Reads each file at most once (POL-9). */
export function resolveLaunch(
  call: AgentCall,
  parent: ParentSnapshot,
  { files, maxDepth }: LaunchTools,
): Promise<Result<ResolvedLaunch>> {
  return call.launch === 'fork'
    ? resolveFork(call, parent, files)
    : resolveDefinition(call, parent, { files, maxDepth });
}

const localOf = ({ runtime }: ParentSnapshot): LocalCustomisation => ({
  projectRoot: runtime.projectRoot,
  safeMode: runtime.safeMode,
  bareMode: runtime.bareMode,
});

async function resolveFork(
  call: ForkRequest,
  parent: ParentSnapshot,
  files: PolicyFiles,
): Promise<Result<ResolvedLaunch>> {
  const profile =
    call.forkProfile === undefined ? null : await files.readProfile(localOf(parent), call.forkProfile);
  if (profile?.ok === false) return profile;
  return resolveForkWith(call, parent, profile?.value ?? null);
}

function resolveForkWith(
  { forkTools }: ForkRequest,
  { runtime, surface, ancestors, source }: ParentSnapshot,
  profile: Profile | null,
): Result<ResolvedLaunch> {
  const resolved = resolveForkPolicy({
    mode: runtime.workflowMode,
    ...(forkTools === undefined ? {} : { forkTools }),
    ...(profile === null ? {} : { profile }),
    ...(surface === null ? {} : { surface }),
  });
  if (!resolved.ok) return resolved;
  const { policy, ceiling, provenance = null } = resolved.value;
  return accepted({
    policy,
    ceiling,
    profile: provenance,
    guidance: profile?.promptHint ?? null,
    restriction: restrictionNotice({ policy, ceiling, surface, ancestors: [...ancestors].reverse() }),
    workingDir: workingDirOf(source),
    definition: null,
  });
}

async function resolveDefinition(
  call: DefinitionRequest,
  parent: ParentSnapshot,
  { files, maxDepth }: Pick<LaunchTools, 'files' | 'maxDepth'>,
): Promise<Result<ResolvedLaunch>> {
  const unfit = judgePermitted(call, parent);
  if (unfit !== null) return unfit;
  const workingDir = await resolveWorkingDir(call.workingDir, parent);
  if (!workingDir.ok) return workingDir;
  const found = await files.readDefinition(localOf(parent), call.definition);
  if (!found.ok) return found;
  const resolved = resolveSubagent(found.value, parent, maxDepth);
  return resolved.ok ? accepted({ ...resolved.value, workingDir: workingDir.value }) : resolved;
}

/** An agent of a definition launches only the definitions that its own names. */
function judgePermitted({ definition }: DefinitionRequest, { caller }: ParentSnapshot): Rejected | null {
  const permitted = caller.launch?.definition?.agents ?? null;
  if (permitted === null || permitted.includes(definition)) return null;
  const message = `This agent may launch ${permitted.join(', ') || 'no agents'}; "${definition}" is not among them.`;
  return rejected('AGENT_CALL_NOT_APPLICABLE', message, {
    offenders: [definition],
    parameter: 'subagent_type',
  });
}

/**
 * A caller that has a browser passes it on. Before its first run nobody knows what its workers have: it counts as there unless the
 * session leaves it out, since the name of a tool that is not there matches nothing.
 */
function hasBrowser({ runtime, surface }: ParentSnapshot): boolean {
  if (surface !== null) return BROWSER_PROXY_BUILD_TOOLS.some((name) => surface.declared.has(name));
  const { builtinTools } = runtime;
  return builtinTools === 'all' || BROWSER_PROXY_BUILD_TOOLS.some((name) => builtinTools.includes(name));
}

function resolveSubagent(
  found: ResolvedDefinition,
  parent: ParentSnapshot,
  maxDepth: number,
): Result<Omit<ResolvedLaunch, 'workingDir'>> {
  const { name, tools: own, agents } = found.definition;
  const depth = (parent.caller.launch?.depth ?? 0) + 1;
  const resolved = resolveSubagentPolicy({
    mode: parent.runtime.workflowMode,
    definition: name,
    tools: own,
    mayLaunch: agents.length > 0 && depth < maxDepth,
    hasBrowser: hasBrowser(parent),
  });
  if (!resolved.ok) return resolved;
  const { policy, ceiling, tools } = resolved.value;
  return accepted({
    policy,
    ceiling,
    profile: null,
    guidance: null,
    restriction: null,
    definition: { ...found, tools },
  });
}
