import type { Conversation, ConversationEntry } from '../conversation/conversation.js';

/** What a rule may ask about a request. A function of the request alone: the server counts nothing. */
export interface Facts {
  readonly model: string;
  readonly system: string;
  /** Texts of all user messages, oldest first. */
  readonly users: readonly string[];
  readonly lastUser: string;
  readonly assistantTurns: number;
  readonly assistantTurnsSinceLastUser: number;
  /** Tool results since the last user message, oldest first. */
  readonly toolResults: readonly string[];
  /** Tool results of the whole request. */
  readonly toolResultCount: number;
  readonly lastToolResult: string | null;
  readonly lastRole: ConversationEntry['role'] | null;
  readonly declaredTools: ReadonlySet<string>;
}

function textsOf(conversation: Conversation, role: ConversationEntry['role']): readonly string[] {
  return conversation.filter((entry) => entry.role === role).map((entry) => entry.text);
}

/** Reads the facts of a history. */
export function readFacts(model: string, conversation: Conversation, tools: readonly string[]): Facts {
  const users = textsOf(conversation, 'user');
  const recent = conversation.slice(conversation.findLastIndex((entry) => entry.role === 'user') + 1);
  const allResults = textsOf(conversation, 'tool');
  return {
    model,
    system: textsOf(conversation, 'system').join('\n'),
    users,
    lastUser: users.at(-1) ?? '',
    assistantTurns: textsOf(conversation, 'assistant').length,
    assistantTurnsSinceLastUser: textsOf(recent, 'assistant').length,
    toolResults: textsOf(recent, 'tool'),
    toolResultCount: allResults.length,
    lastToolResult: allResults.at(-1) ?? null,
    lastRole: conversation.at(-1)?.role ?? null,
    declaredTools: new Set(tools),
  };
}
