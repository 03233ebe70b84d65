import type { Message } from '#transcripts';

const LONGEST_PART = 8_000;
const OPENING = '<conversation>\n';
const CLOSING = '\n</conversation>';

/**
 * A conversation as text for somebody who sums it up, at most about `maxChars` long: each long part is cut in the middle, and
 * when that does not do, what lies between the beginning and the end of the conversation. Reasoning is left out.
 */
export function conversationText(messages: readonly Message[], maxChars: number): string {
  const text = messages.flatMap(partsOf).map(fenced).join('\n\n');
  return `${OPENING}${shortened(text, maxChars, 0.25)}${CLOSING}`;
}

function partsOf(message: Message): readonly string[] {
  return message.blocks.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [`[${message.role}]\n${shortened(block.text, LONGEST_PART, 0.5)}`];
      case 'call':
        return [`[call of ${block.name}]\n${shortened(block.arguments, LONGEST_PART, 0.5)}`];
      case 'result':
        return [`[result of ${block.name}]\n${shortened(block.content, LONGEST_PART, 0.5)}`];
      case 'opaque':
        return [];
    }
  });
}

/** What is quoted cannot end the quotation. */
const fenced = (text: string): string => text.replaceAll(/<(?=\/?conversation>)/gi, '&lt;');

/** The first `share` of what is left, and the end; between them how much is left out. */
function shortened(text: string, maxChars: number, share: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * share);
  const tail = maxChars - head;
  return `${text.slice(0, head)}\n[… ${text.length - head - tail} characters left out …]\n${text.slice(text.length - tail)}`;
}
