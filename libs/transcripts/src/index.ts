export { isSound, NO_STREAM } from './events/recorded-event.js';
export type {
  EventContext,
  EventFault,
  FaultyEvent,
  LogPlace,
  NewEvent,
  RecordedEvent,
  SoundEvent,
  StreamHead,
} from './events/recorded-event.js';
export { Message, textOfMessage } from './events/message.js';
export type {
  AssistantMessage,
  CallBlock,
  OpaqueBlock,
  ResultBlock,
  TextBlock,
  ToolMessage,
  UserMessage,
} from './events/message.js';
export { TranscriptStore } from './store/transcript-store.js';
export type {
  AppendRequest,
  AppendResult,
  ArchivedAgent,
  BlobReference,
  Dropped,
  DroppedFilter,
  IdempotencyClaim,
  IdempotentOutcome,
  LogPage,
  RecordedClaim,
  WholeStream,
  StreamPage,
} from './store/transcript-store.js';
export { agentOfStream, isAgentId, streamName } from './events/agent-stream.js';
export { eventSchemas } from './events/agent-event.js';
export type {
  AgentEvent,
  DecodedEvent,
  EventData,
  EventName,
  EventOf,
  ReadEvent,
  UnknownEvent,
} from './events/agent-event.js';
export { decodeEvent, encodeEvent } from './events/event-codec.js';
export { Limits, ToolRef } from './events/shared-schemas.js';
export type { CallKey, Drift, Outcome, Surface, Usage } from './events/shared-schemas.js';
export { Declaration, Runtime } from './events/session-events.js';
export { absentAgent, hasEnded, isDispatchable, unansweredCalls } from './agent-meta/agent-meta.js';
export type {
  AgentKind,
  AgentMeta,
  AgentStatus,
  BatchCall,
  PendingApproval,
  PendingMessage,
  PendingQuestion,
  RunClaim,
} from './agent-meta/agent-meta.js';
export { activationKey } from './agent-meta/activation-key.js';
export { evolve } from './agent-meta/evolve.js';
export { accepted, refused, TranscriptCode } from './agent/decision.js';
export type { Decision, Refused } from './agent/decision.js';
export { startRun } from './agent/start-run.js';
export {
  cancelAgent,
  damageMended,
  endAgent,
  holds,
  interruptRun,
  releaseRun,
  requestRevival,
} from './agent/end-run.js';
export {
  appendMessages,
  changeRuntime,
  closeSession,
  openSession,
  reopenSession,
} from './agent/open-session.js';
export { launchAgent, launchRefusal } from './agent/launch-agent.js';
export { damageRefusal } from './agent/note-damage.js';
export { deliverOutcome, type DeliverOutcome } from './agent/deliver-outcome.js';
export { queueMessage, resolveApproval, resumeAgent } from './agent/exchange.js';
export { answerQuestion, expireQuestion } from './agent/questions.js';
export { executeCommand, loadMeta } from './store/execute-command.js';
export { KeptFolds } from './store/kept-folds.js';
export type { Command, CommandResult, CommandTools, Conflicted } from './store/execute-command.js';
export { verifyChain } from './store/chain-verifier.js';
export type { ChainFault, ChainVerdict } from './store/chain-verifier.js';
export { verifyStream } from './store/verify-stream.js';
export { compareLogPlaces } from './store/log-place.js';
export { storeLimits } from './store/store-limits.js';
export { UnstorableAppendError, UnstorableCode } from './store/unstorable-append-error.js';
export { createDataSource } from './store/postgres/create-data-source.js';
export type { DataSourceSettings, MigrationClass } from './store/postgres/create-data-source.js';
export { connectionConfig, createPool } from './store/postgres/create-pool.js';
export type { PoolOptions } from './store/postgres/create-pool.js';
export { inTransaction } from './store/postgres/in-transaction.js';
export { PostgresTranscriptStore } from './store/postgres/postgres-transcript-store.js';
export type { PostgresTranscriptStoreOptions } from './store/postgres/postgres-transcript-store.js';
export { hasPendingMigrations, runMigrations } from './store/postgres/run-migrations.js';
export { formatLogCursor, parseLogCursor } from './store/log-cursor.js';
export type { LogCursorFault, LogCursorResult, LogExtent } from './store/log-cursor.js';
export { readFeedLag } from './store/postgres/read-feed-lag.js';
export type { FeedLag, HorizonHolder } from './store/postgres/read-feed-lag.js';
export { type LogSource, SharedPages } from './store/shared-pages.js';
export { followLog } from './store/log-tail.js';
export type { FollowOptions } from './store/log-tail.js';
export { LocalWakeUp, WakeUp } from './store/wake-up.js';
export { openPostgresLog } from './store/postgres/open-postgres-log.js';
export type { PostgresLog, PostgresLogOptions } from './store/postgres/open-postgres-log.js';
export type { SqlClient, SqlStatement } from './store/postgres/sql-client.js';
export { applyPage } from './checkpoints/postgres/apply-page.js';
export type { ApplyEvents, ReaderPage } from './checkpoints/postgres/apply-page.js';
export {
  deleteCheckpoint,
  moveCheckpoint,
  readCheckpoint,
  saveCheckpoint,
  takeReaderLock,
} from './checkpoints/postgres/checkpoints.js';
export { runProjection } from './checkpoints/postgres/run-projection.js';
export type { ProjectionOptions } from './checkpoints/postgres/run-projection.js';
export {
  type ImportReport,
  importFile,
  type ImportTools,
  type LostEvents,
  NotPortableError,
  type TreeReport,
} from './portable/postgres/import-file.js';
export { portableFormat, type PortableRecord } from './portable/portable-records.js';
export { sealLine } from './portable/sealed-line.js';
export type { Tear } from './portable/survey-file.js';
export type { NamedBlob } from './portable/tree-survey.js';
export { BlobDamagedError } from './store/blob-damaged-error.js';
export { checkBlob } from './store/check-blob.js';
export { namedBlobs } from './events/named-blobs.js';
export type { FirstEventsPage } from './store/transcript-store.js';
export { firstEventPages } from './store/all-first-events.js';
export {
  type Projection,
  ProjectionShadow,
  ShadowHeldError,
  type ShadowTools,
} from './checkpoints/postgres/projection-shadow.js';
export { type Finding, FindingKind } from './upkeep/finding.js';
export { type ExaminedStream, examineStreams } from './upkeep/examine-streams.js';
export { examineDatabase, orphanedBlobs } from './upkeep/postgres/examine-database.js';
export { type Kept, KeepReason, reasonsToKeep } from './retention/keep-reason.js';
export {
  type AgentColumn,
  type DropResult,
  type DropStep,
  dropTree,
  type DropTools,
  readerBehind,
  type TreeToDrop,
} from './retention/postgres/drop-tree.js';
export { everyPointer, type Pointer, pointersSince } from './retention/postgres/find-pointers.js';
export { sweepBlobs } from './retention/postgres/sweep-blobs.js';
export { splitLines } from './portable/split-lines.js';
export { type FileSurvey, surveyFile } from './portable/survey-file.js';
export { recordAppends } from './portable/postgres/record-appends.js';
export { sealAppend } from './store/seal-append.js';
