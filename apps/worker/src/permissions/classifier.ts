import type { ToolIdentity } from '#policy';
import type { Usage } from '#transcripts';
import type { ClassifierVerdict } from './parse-verdict.js';

/** Everything that the classifier may judge by (spec 04 §4). Of the conversation it sees nothing but the directive. */
export interface Classification {
  readonly agentId: string;
  readonly runId: string;
  readonly epoch: number;
  /** The spec of the model that the agent runs with. */
  readonly agentModel: string;
  readonly tool: ToolIdentity;
  readonly description: string;
  /** The argument text that would run. */
  readonly arguments: string;
  /** What these would launch, exactly: policy, ceiling, guidance, definition; null for any tool but `agent` (spec 02 §1). */
  readonly launch: string | null;
  /** The tools that the agent may run under list, ceiling and surface. */
  readonly executable: readonly string[];
  /** The restriction as the agent was told it, the guidance of its profile and its task; null where there is none. */
  readonly restriction: string | null;
  readonly hint: string | null;
  readonly directive: string | null;
}

/** A verdict, and what it took: the model's spec, and its usage without the cost. */
export interface Classified extends ClassifierVerdict {
  readonly model: string;
  readonly usage: Omit<Usage, 'costUsd'>;
}

/** Nobody was asked: a person is. */
export const unasked = (model: string, reason: string): Classified => ({
  ...{ verdict: 'ask', reason, model },
  usage: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
});

/**
 * Judges what approval mode `auto` does not decide by itself. Whatever goes wrong is the verdict `ask`; it never throws, also
 * not when the signal is aborted.
 */
export interface Classifier {
  classify(subject: Classification, signal: AbortSignal): Promise<Classified>;
}
