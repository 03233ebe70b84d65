import { z } from 'zod';
import { Message } from './message.js';
import { CallKey, Surface, ToolRef, Usage } from './shared-schemas.js';

const CallFact = z.object({ call: CallKey, name: z.string() });

/** What happens while a run holds an agent. Every event names its epoch so that a reader sees whose it is. */
export const runEvents = {
  RunStarted: z.object({
    runId: z.string(),
    epoch: z.int().min(1),
    activation: z.int().min(1),
    workerId: z.string(),
    reason: z.enum(['launch', 'revival', 'resume', 'message', 'continue']),
    model: z.string(),
    surface: Surface,
  }),
  SurfaceChanged: z.object({ epoch: z.int().min(1), surface: Surface }),
  TurnRecorded: z.object({
    epoch: z.int().min(1),
    turn: z.int().min(1),
    message: Message,
    stopReason: z.string(),
    usage: Usage,
    /** Present when the provider told no usage: the zeros then mean unknown. */
    isUsageReported: z.literal(false).exactOptional(),
    /** Present when the model has no price: the cost of nothing then means unknown. */
    isPriced: z.literal(false).exactOptional(),
    model: z.string(),
    request: z.object({
      /** SHA-256 of the body as sent, its length in bytes, and the same of the part before the last user message. */
      digest: z.string(),
      bytes: z.int().min(0),
      prefixDigest: z.string(),
      prefixBytes: z.int().min(0),
    }),
  }),
  ToolCallAllowed: CallFact.extend({ tool: ToolRef, rule: z.string() }),
  ToolCallRefused: CallFact.extend({
    tool: z.union([z.null(), ToolRef]),
    reason: z.string(),
    /** The synthetic response that the model is shown. */
    response: z.string(),
  }),
  /** What the classifier of approval mode `auto` said of a call, each time that it was asked. */
  ToolCallClassified: CallFact.extend({
    epoch: z.int().min(1),
    verdict: z.enum(['allow', 'deny', 'ask']),
    reason: z.string(),
    model: z.string(),
    usage: Usage,
  }),
  /** Committed before the effect. Its absence means that the effect did not begin. */
  ToolCallStarted: CallFact.extend({
    epoch: z.int().min(1),
    tool: ToolRef,
    /** Whether a started call may be run again after a crash. */
    repeatable: z.boolean(),
    rule: z.string(),
    /** The argument text that was run, where a hook had put it in the place of the model's. */
    arguments: z.string().exactOptional(),
    /** What the arguments stood for, as text: a call that is run again means the same. */
    snapshot: z.string().exactOptional(),
  }),
  ToolCallFinished: CallFact.extend({
    epoch: z.int().min(1),
    /** `unknown`: started, and nobody can say whether the effect happened. `skipped`: never started. */
    outcome: z.enum(['ok', 'error', 'denied', 'unknown', 'skipped']),
    content: z.string(),
    /** The whole output when `content` was cut. */
    full: z.string().exactOptional(),
    /** A picture that the call came to; its bytes are the blob of this SHA-256. */
    picture: z.object({ mediaType: z.string(), blob: z.string(), sizeBytes: z.int().min(0) }).exactOptional(),
    durationMs: z.int().min(0),
  }),
  HistoryCompacted: z.object({
    /** Everything of the agent's own and inherited history up to this version is replaced by `messages`. */
    upTo: z.int().min(1),
    messages: z.array(Message),
    /** What the model call cost that wrote the summary. */
    usage: Usage.exactOptional(),
  }),
  RunParked: z.object({
    runId: z.string(),
    epoch: z.int().min(1),
    reason: z.enum(['approval', 'question', 'child', 'rate_limit', 'timer']),
    /** What must happen before the agent can go on; empty for timers. */
    waitingFor: z.array(z.string()),
    /** Milliseconds of the database's clock from the record of this event, for timers. */
    delayMs: z.union([z.null(), z.int().min(0)]),
    /** Attempts of the turn so far, for a wait between two of them. */
    attempts: z.int().min(0).exactOptional(),
  }),
  RunInterrupted: z.object({
    runId: z.string(),
    epoch: z.int().min(1),
    workerId: z.string(),
    cause: z.enum(['crashed', 'fenced', 'frozen', 'cut', 'stalled', 'drained', 'faulted', 'stopped']),
    detail: z.string().exactOptional(),
  }),
  /** The run ended and the agent has nothing to do: an idle session. */
  RunReleased: z.object({
    runId: z.string(),
    epoch: z.int().min(1),
    reason: z.enum(['idle', 'nothing_to_do']),
  }),
  RevivalBlocked: z.object({ reason: z.string(), detail: z.string() }),
  /** A wait is over (its timer, its child): the agent can be dispatched again. */
  WaitEnded: z.object({ epoch: z.int().min(1), reason: z.string() }),
};
