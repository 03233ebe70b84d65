export { HistoryBuilder, type History, type OpenBatch, type PlacedMessage } from './pure/history-builder.js';
export { inheritedHistory, isRealUserTurn, openCallPlaceholder } from './pure/inherited-history.js';
export { bindSurface, type BoundSurface, lastSurface, type UnboundSurface } from './pure/bind-surface.js';
export { type LiveTool, toolFingerprint } from './pure/live-tool.js';
export { defaultLimits, limitsOf } from './pure/effective-limits.js';
export { workModel } from './pure/work-model.js';
export { surfaceDrift } from './pure/surface-drift.js';
export { neverStarted, outcomeUnknown, repairBatch } from './pure/repair-batch.js';
export { messageAgent, type MessageRequest, type MessageResult } from './exchange/message-agent.js';
export { launchAgent, prepareLaunch, type PreparedLaunch } from './launch/launch-agent.js';
export type { LaunchRejection, LaunchRequest, LaunchResult, LaunchTools } from './launch/launch-request.js';
export {
  type DefinitionTier,
  type LocalCustomisation,
  PolicyFiles,
  type ResolvedDefinition,
} from './launch/policy-files.js';
export { UnreadableBoundsError } from './launch/parent-snapshot.js';
export { chunkMessages } from './pure/chunk-messages.js';
export { HistoryInput, importHistory, type ImportedHistory } from './pure/import-history.js';
export { pairingDefect } from './pure/pairing.js';
export { findWorkFolder, type WorkFolder } from './files/work-folder.js';
export { LocalPolicyFiles, type LocalPolicyFilesOptions } from './files/local-policy-files.js';
export {
  type CallVerdict,
  evaluatePolicy,
  type ForkQuestion,
  type PolicyEvaluation,
  type PolicyQuestion,
  type SubagentQuestion,
} from './pure/evaluate-policy.js';
export { type ListReplay, type ListReplayed, replayList } from './pure/replay-list.js';
export { ListSuggester, type ListSuggestion } from './pure/suggest-list.js';
export { maxLaunchDepth } from './launch/max-launch-depth.js';
export {
  BootstrapUnreadableError,
  catchUp,
  ChainBrokenError,
  inheritedMessages,
  inheritInto,
  type KeptMetas,
  keptMetas,
  loadAgent,
  type LoadedAgent,
  loadOwn,
} from './history/loaded-agent.js';
export {
  type ExportCounts,
  exportOutlines,
  exportTrees,
  SessionNotFoundError,
} from './transfer/export-trees.js';
export { type LeftOutTree, StreamDamagedError } from './transfer/whole-trees.js';
export { outlineTrees, type TreeOutline } from './transfer/outline-trees.js';
export { importLegacyDir, type LegacyReport } from './legacy/import-legacy-dir.js';
