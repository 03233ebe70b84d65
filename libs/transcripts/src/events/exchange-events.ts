import { z } from 'zod';
import { CallKey, Opaque, Outcome, ToolRef } from './shared-schemas.js';

/** What passes between an agent, its parent and the people who watch it. */
export const exchangeEvents = {
  ApprovalRequested: z.object({
    approvalId: z.string(),
    call: CallKey,
    name: z.string(),
    tool: ToolRef,
    /** The argument text that would run, and the SHA-256 of its canonical form that the answer is bound to. */
    arguments: z.string(),
    argumentsDigest: z.string(),
    /** Identity, description, schema and annotations of the tool as they were. */
    fingerprint: z.string(),
    /** What the arguments stood for when it was asked (a launch: policy, profile, definition), as text: the answer is for that alone. */
    snapshot: z.string().exactOptional(),
    expiresInMs: z.int().min(1),
  }),
  ApprovalResolved: z.object({
    approvalId: z.string(),
    decision: z.enum(['allow', 'deny']),
    reason: z.string().exactOptional(),
  }),
  ApprovalExpired: z.object({ approvalId: z.string() }),
  QuestionAsked: z.object({
    questionId: z.string(),
    call: CallKey,
    text: z.string(),
    /** Answers to choose from; any other text answers as well. */
    options: z.array(z.string()).exactOptional(),
    to: z.enum(['user', 'parent']),
    /** How long it stays open; absent means until somebody answers. */
    expiresInMs: z.int().min(1).exactOptional(),
  }),
  /** The answer is also the result of the call that asked, in the same append. */
  QuestionAnswered: z.object({ questionId: z.string(), text: z.string() }),
  QuestionExpired: z.object({ questionId: z.string() }),
  MessageQueued: z.object({ messageId: z.string(), from: z.string(), text: z.string() }),
  /** Queued messages that now stand in the history, in this order. */
  MessageDelivered: z.object({ messageIds: z.array(z.string()) }),
  /** On the parent's stream: it was told of this activation of its child. */
  OutcomeDelivered: z.object({
    agentId: z.string(),
    activation: z.int().min(1),
    text: z.string(),
    /** The call that waited for this outcome: its result, in the same append, is how the parent reads it. */
    call: CallKey.exactOptional(),
  }),
  AgentCompleted: z.object({ epoch: z.int().min(1), activation: z.int().min(1), outcome: Outcome }),
  AgentFailed: z.object({ epoch: z.int().min(0), activation: z.int().min(1), outcome: Outcome }),
  AgentCancelled: z.object({
    epoch: z.int().min(0),
    activation: z.int().min(1),
    by: z.string(),
    /** Why, in the words of whoever cancelled it. */
    note: z.string().exactOptional(),
    outcome: Outcome,
  }),
  AgentResumed: z.object({
    activation: z.int().min(2),
    messageId: z.string(),
    mode: z.string(),
    ceiling: Opaque,
  }),
};
