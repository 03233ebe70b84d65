export { NO_STREAM } from './events/recorded-event.js';
export type { EventContext, LogPlace, NewEvent, RecordedEvent, StreamHead } from './events/recorded-event.js';
export { Message } from './events/message.js';
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
  IdempotencyClaim,
  IdempotentOutcome,
  LogPage,
  StreamPage,
} from './store/transcript-store.js';
