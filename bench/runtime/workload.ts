import type { AssistantMessage, Message } from '#transcripts';

/** What every fork of the suite does, whoever runs it: five turns that read a file, and one that ends. */
export const TOOL_TURNS = 5;
/** Model requests and tool calls of one fork. */
export const STEPS_OF_FORK = 2 * TOOL_TURNS + 1;
/** A prompt with this in it is answered at once, for measuring the way to the first request. */
export const AT_ONCE = 'Answer at once.';
export const FILE_NAME = 'input.txt';

export const systemInstruction = 'You read files and report what they say.';
export const readCall = { name: 'read_file', arguments: JSON.stringify({ path: FILE_NAME }) } as const;

/** The history that the forks inherit: four exchanges of some length. */
export const history: readonly Message[] = Array.from({ length: 4 }, (_, round): readonly Message[] => [
  { role: 'user', blocks: [{ type: 'text', text: `Question ${round}: ${'what does it say? '.repeat(20)}` }] },
  { role: 'assistant', blocks: [{ type: 'text', text: `Answer ${round}: ${'it says this. '.repeat(20)}` }] },
]).flat();

/** What the model says to a conversation with this many results. */
export function nextTurn(results: number): AssistantMessage['blocks'] {
  if (results >= TOOL_TURNS) return [{ type: 'text', text: 'The file says hello.' }];
  return [
    { type: 'text', text: 'I read the file.' },
    { type: 'call', id: `call-${results}`, ...readCall },
  ];
}
