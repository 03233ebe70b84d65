import { answered, defineTool } from './define-tool.js';

interface Given {
  readonly todos: readonly {
    readonly content: string;
    readonly status: 'pending' | 'in_progress' | 'completed';
  }[];
}

const OUTPUT_CAP = 10_000;
const BOXES = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

/** Keeps a list of what is to be done. The list is in the transcript, as the arguments of the last such call; nothing else is stored. */
export const todoWrite = defineTool<Given>(
  {
    name: 'todo_write',
    description:
      'Writes down your list of tasks for work of several steps, replacing the list before it. Send the whole list each time; have one task in progress, and mark a task completed as soon as it is.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            properties: {
              content: { type: 'string', minLength: 1, maxLength: 500, description: 'What is to be done.' },
              status: { enum: ['pending', 'in_progress', 'completed'] },
            },
            required: ['content', 'status'],
            additionalProperties: false,
          },
        },
      },
      required: ['todos'],
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    destructive: false,
    outputCap: OUTPUT_CAP,
  },
  ({ todos }) => {
    const lines = todos.map(({ content, status }) => `${BOXES[status]} ${content}`);
    return Promise.resolve(
      answered(lines.length === 0 ? '[The list is empty.]' : lines.join('\n'), OUTPUT_CAP),
    );
  },
);
