import type { ToolIdentity } from '#policy';

/** Everything that the classifier may judge by (spec 04 §4). Nothing of the conversation but the directive. */
export interface Classification {
  readonly agentId: string;
  readonly runId: string;
  readonly epoch: number;
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

/** `ask` is also what comes of everything that is no clear verdict. */
export interface ClassifierVerdict {
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly reason: string;
}

/** Judges what approval mode `auto` does not decide by itself. Never throws but for a run that was stopped. */
export interface Classifier {
  classify(subject: Classification, signal: AbortSignal): Promise<ClassifierVerdict>;
}
