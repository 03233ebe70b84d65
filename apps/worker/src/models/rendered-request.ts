/** A request body as text. `prefix` starts `stem`, `stem` starts `body`. */
export interface RenderedRequest {
  readonly body: string;
  /** Up to the last message: a longer history of the same request goes on from here. */
  readonly stem: string;
  /** Up to the message before the last user message: what a fork shares with its parent. */
  readonly prefix: string;
}
