/** One call of a tool as it stood in a request. `arguments` is the text the client sent. */
export interface ConversationCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * One entry of a history, free of any protocol. `path` says where in the request it stood, for messages to people.
 * One Anthropic message may become several entries; their order is the order of its blocks.
 */
export type ConversationEntry =
  | { readonly role: 'system' | 'user'; readonly text: string; readonly path: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ConversationCall[];
      readonly path: string;
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string; readonly path: string };

/** The whole history of a request, oldest first. */
export type Conversation = readonly ConversationEntry[];
