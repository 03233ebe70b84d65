import { type AgentEvent, type Message, textOfMessage } from '#transcripts';

const noUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: 0 };
const noRequest = { digest: '', bytes: 0, prefixDigest: '', prefixBytes: 0 };

/** What an agent said, did and was told after its launch, as the events of its one run. Pure. */
export function turnsOf(own: readonly Message[], model: string): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  let turn = 0;
  for (const [index, message] of own.entries()) {
    if (message.role === 'assistant') {
      turn += 1;
      const data = { epoch: 1, turn, message, stopReason: 'stop', usage: noUsage, model, request: noRequest };
      events.push({ type: 'TurnRecorded', data: { ...data, isUsageReported: false, isPriced: false } });
    } else if (message.role === 'tool') events.push(...resultsOf(own[index - 1], message, turn));
    else events.push(...messageOf(message, `legacy-own-${index + 1}`));
  }
  return events;
}

function messageOf(message: Message, messageId: string): readonly AgentEvent[] {
  return [
    { type: 'MessageQueued', data: { messageId, from: 'legacy', text: textOfMessage(message) } },
    { type: 'MessageDelivered', data: { messageIds: [messageId] } },
  ];
}

function resultsOf(
  asked: Message | undefined,
  results: Extract<Message, { role: 'tool' }>,
  turn: number,
): readonly AgentEvent[] {
  const calls = asked?.role === 'assistant' ? asked.blocks.filter((block) => block.type === 'call') : [];
  return results.blocks.map(({ callId, name, content, isError }) => ({
    type: 'ToolCallFinished',
    data: {
      call: {
        turn,
        index: Math.max(
          0,
          calls.findIndex((call) => call.id === callId),
        ),
        providerId: callId,
      },
      name,
      epoch: 1,
      outcome: isError ? 'error' : 'ok',
      content,
      durationMs: 0,
    },
  }));
}
