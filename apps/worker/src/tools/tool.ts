/**
 * The port between a run and what it can do (spec 04 §3). A definition is what the model, the gate and the
 * permission pipeline see; a tool is a definition with something that carries it out.
 */
export interface ToolDefinition {
  /** The registry name, which is also the declared name. */
  readonly name: string;
  /** What the model reads. */
  readonly description: string;
  /** The JSON Schema of the arguments as text: the same bytes in every request, never re-serialised. */
  readonly parameters: string;
  /** Changes nothing outside the transcript and sends nothing out of the machine. */
  readonly readOnly: boolean;
  /** May be run again after a crash, whatever became of the first run. */
  readonly idempotent: boolean;
  /** May destroy what cannot be had back. */
  readonly destructive: boolean;
  /** How many code points of a result the model is shown. */
  readonly outputCap: number;
}

/** What a run lends to a call. Nothing here outlives the call. */
export interface ToolContext {
  /** The folder that the built-ins are confined to: the project root, or the `working_dir` of the agent; absolute, need not be a real path. */
  readonly projectRoot: string;
  readonly agentId: string;
  /** The agents above this one, nearest first; its session is the last. Empty for a session. */
  readonly lineage: readonly string[];
  readonly tenant: string;
  /** Which call this is: turn, place in the batch, the provider's id. */
  readonly call: { readonly turn: number; readonly index: number; readonly providerId: string };
  readonly runId: string;
  /** Aborted on cancel, on a lost claim and at the end of the run; whatever the call started dies with it. */
  readonly signal: AbortSignal;
  /** The environment for child processes, made by `childEnvironment`: no key of ours, no provider key. */
  env(): Readonly<Record<string, string>>;
  /** The same for every execution of the same call of the same turn. */
  readonly idempotencyKey: string;
}

/** One admitted, validated call. */
export interface ToolCall {
  /** The model's own text. */
  readonly argumentsText: string;
  /** Its value, as `validateArguments` returned it. */
  readonly arguments: unknown;
  readonly context: ToolContext;
}

/** What came of a call. `text` is for the model and within the cap; `full`, present only when something was cut from it, is for a blob. */
export interface ToolResult {
  readonly outcome: 'ok' | 'error';
  readonly text: string;
  readonly full?: string;
  /** Present when the call is answered from outside, once this child has ended: the run parks for it. `text` says nothing then. */
  readonly awaits?: string;
  /** A picture that was saved as a blob. */
  readonly picture?: { readonly mediaType: string; readonly blob: string; readonly sizeBytes: number };
}

/** A tool of a registry. `execute` never rejects for what can be expected (a missing file, a failing command): that is an error result. */
export interface Tool extends ToolDefinition {
  /** Present on a tool that asks somebody: the answer is its result, and nothing is executed. */
  readonly asks?: 'user' | 'parent';
  execute(call: ToolCall): Promise<ToolResult>;
  /**
   * For a tool whose arguments name what may change meanwhile, such as a file: finds out once what they stand for, before rules, hooks or
   * people are asked (spec 02 §1). Such a tool judges its arguments itself. `earlier` is the snapshot that was decided on before.
   */
  resolve?(call: ToolCall, earlier: string | null): Promise<ResolvedCall>;
}

/** What a call stands for: the text that is decided on, and the tool that does exactly that. Or why it does nothing, for the model. */
export type ResolvedCall =
  | { readonly ok: true; readonly snapshot: string | null; execute(): Promise<ToolResult> }
  | { readonly ok: false; readonly text: string };
