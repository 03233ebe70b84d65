export {
  type Accepted,
  accepted,
  PolicyCode,
  type Rejected,
  rejected,
  type Rejection,
  type RejectionReason,
  type Result,
} from './rejection.js';
export {
  type BuiltInTool,
  isMcpTool,
  isSameTool,
  type McpTool,
  rawForm,
  type ToolIdentity,
} from './tool-identity.js';
export { wireName } from './wire-name.js';
export { checkServerName } from './server-name.js';
export { type AllowlistEntry, MAX_ENTRY_LENGTH } from './allowlist/allowlist-entry.js';
export { exactEntry } from './allowlist/exact-entry.js';
export { type Allowlist, MAX_ENTRIES, parseAllowlist, printAllowlist } from './allowlist/parse-allowlist.js';
export {
  type ListPolicy,
  STORED_VERSION,
  type StoredPolicy,
  UNRESTRICTED,
  type UnrestrictedPolicy,
} from './stored/stored-policy.js';
export { listPolicy } from './stored/list-policy.js';
export { parseStoredPolicy } from './stored/parse-stored-policy.js';
export { importLegacyPolicy, type LegacyPolicy } from './stored/import-legacy-policy.js';
export { bindWireNames } from './stored/bind-wire-names.js';
export type { WireBinding } from './stored/wire-binding.js';
export {
  type Ceiling,
  CLOSED_CEILING,
  type ClosedCeiling,
  ceilingOf,
  narrowCeiling,
  NO_CEILING,
  type NoCeiling,
} from './stored/ceiling.js';
export { parseCeiling } from './stored/parse-ceiling.js';
export {
  resolveSurface,
  type ToolSurface,
  type WithheldReason,
  type WithheldTool,
} from './surface/resolve-surface.js';
export {
  type AgentBounds,
  type AgentKind,
  compileGate,
  FORBIDDEN_IN_FORK,
  type Gate,
  type GateInput,
} from './gate/compile-gate.js';
export type { AllowedDecision, AllowRule, GateDecision, RefusedDecision } from './gate/decision.js';
export { RefusalReason } from './gate/refusal-reason.js';
export {
  type CallLabel,
  MAX_REFUSAL_LENGTH,
  MAX_REFUSAL_NAMES,
  type RefusalResponse,
  refusalResponse,
} from './gate/refusal-response.js';
export {
  type AdmittedCall,
  decideCall,
  type GateCall,
  type GatedBatch,
  partitionBatch,
  type RefusedCall,
} from './gate/partition-batch.js';
export {
  AGENT_CALL_PARAMETERS,
  type AgentCall,
  type AgentCallParameter,
  DEFAULT_DEFINITION,
  type DefinitionRequest,
  type ForkRequest,
  type OnApproval,
  type RequestedLimits,
} from './launch/agent-call.js';
export {
  judgeCustomisation,
  type LocalCustomisation,
  type SessionTrust,
} from './launch/judge-customisation.js';
export { type AgentCallOptions, parseAgentCall } from './launch/parse-agent-call.js';
export { type Limits, lowerLimits, parseLimits } from './launch/parse-limits.js';
export {
  type ForkPolicy,
  type ForkPolicyInput,
  type ProfileProvenance,
  resolveForkPolicy,
} from './launch/resolve-fork-policy.js';
export { resolveSubagentPolicy, type SubagentPolicy } from './launch/resolve-subagent-policy.js';
export { type NoticeInput, restrictionNotice } from './launch/restriction-notice.js';
export {
  composeForkDirective,
  forkBoilerplate,
  type ForkDirectiveParts,
  frameProfileGuidance,
} from './launch/fork-directive.js';
export { parseProfileName, type ProfileName } from './profiles/profile-name.js';
export { MAX_PROFILE_BYTES, parseProfile, type Profile } from './profiles/parse-profile.js';
export {
  type AgentDefinition,
  MAX_DEFINITION_BYTES,
  parseDefinition,
} from './definitions/parse-definition.js';
export {
  ASK_PARENT_TOOL,
  BROWSER_PROXY_BUILD_TOOLS,
  BROWSER_PROXY_READ_ONLY_TOOLS,
  CLOSED_LIST,
  REPOSITORY_READ_ONLY_TOOLS,
  SPAWN_TOOL,
} from './toolset/read-only-tools.js';
export { BUILT_IN_NAMES } from './toolset/built-in-names.js';
export { didYouMean } from './text/did-you-mean.js';
export { CLOSED_REGISTRY_NAMES, REGISTRY_NAMES, registryName } from './toolset/registry-name.js';
export {
  DEFAULT_WORKFLOW_MODE,
  isRestrictedMode,
  isWorkflowMode,
  WORKFLOW_MODES,
  type WorkflowMode,
} from './toolset/workflow-mode.js';
export { validateExplorerTools, validateSubagentToolset } from './toolset/validate-toolset.js';
export {
  EXPLORER_DEFINITION,
  injectedProxies,
  resolveToolset,
  type ToolsetInput,
} from './toolset/effective-toolset.js';
export { foldName, isProtectedPath, protectedNames } from './protected-names.js';
export { checkJsonBounds, JSON_BOUNDS, type JsonBounds } from './text/json-bounds.js';
