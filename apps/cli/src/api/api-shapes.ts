/** The parts of the API's answers that the command line uses (spec 05 §9). */
export interface AgentAnswer {
  readonly parentId: string | null;
  readonly id: string;
  readonly kind: string;
  readonly description: string;
  readonly status: string;
  readonly policy: { readonly kind: string; readonly entries?: readonly string[] };
  readonly run: { readonly id: string; readonly epoch: number; readonly worker: string } | null;
  readonly epoch: number;
  readonly usage: {
    readonly turns: number;
    readonly toolCalls: number;
    /** Null when the provider tells none. */
    readonly cachedTokens: number | null;
    readonly cachedShare: number | null;
  };
  readonly outcome: {
    readonly status: string;
    readonly reason: string;
    readonly result: string;
    readonly refusedTools: readonly string[];
  } | null;
}

export interface RecordAnswer {
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WorkerAnswer {
  readonly id: string;
  readonly pid: number;
  readonly agents: readonly string[];
}

/** One event of the stream, as a CloudEvent. */
export interface EventAnswer {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
