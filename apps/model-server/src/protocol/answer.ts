/** Why an answer ended, in OpenAI's words; other protocols translate. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** Text of the arguments, sent verbatim. */
  readonly arguments: string;
}

/** An answer that is ready to be written in any protocol. */
export interface Answer {
  readonly reasoning: readonly string[];
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly finishReason: FinishReason;
}

/** Token counts of one answer. `prompt` = fresh + `cacheRead` + `cacheWrite`. */
export interface Usage {
  readonly prompt: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly completion: number;
  readonly reasoning: number;
}
