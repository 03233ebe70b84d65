import { z } from 'zod';
import type { AssistantMessage, CallBlock } from '#transcripts';
import { addResult, type HistoryReader, issueText, textBlocks } from './history-reader.js';

const ChatText = z.union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))]);
const ChatCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const ChatAnswer = z.looseObject({
  role: z.literal('assistant'),
  content: z.union([ChatText, z.null()]).optional(),
  tool_calls: z.array(ChatCall).optional(),
});
const ChatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']) }),
  z.looseObject({ role: z.literal('user'), content: ChatText }),
  ChatAnswer,
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: ChatText }),
]);

/** Reads one OpenAI chat message. The text of call arguments is taken over as it is. */
export const readOpenAiMessage: HistoryReader = (raw, messages) => {
  const parsed = ChatMessage.safeParse(raw);
  if (!parsed.success) return issueText(parsed.error);
  const message = parsed.data;
  switch (message.role) {
    case 'system':
    case 'developer':
      return `a ${message.role} message is no history; give its text as the system instruction of the session.`;
    case 'user':
      messages.push({ role: 'user', blocks: textBlocks(message.content) });
      return null;
    case 'assistant':
      messages.push({ role: 'assistant', blocks: answerBlocks(message) });
      return null;
    case 'tool': {
      const content = joined(message.content);
      addResult(messages, { callId: message.tool_call_id, content, isError: false });
      return null;
    }
  }
};

function answerBlocks({
  content,
  tool_calls: calls = [],
}: z.infer<typeof ChatAnswer>): AssistantMessage['blocks'] {
  return [...textBlocks(content ?? ''), ...calls.map(callBlock)];
}

function callBlock({ id, function: { name, arguments: text } }: z.infer<typeof ChatCall>): CallBlock {
  return { type: 'call', id, name, arguments: text };
}

const joined = (content: z.infer<typeof ChatText>): string =>
  textBlocks(content)
    .map((block) => block.text)
    .join('');
