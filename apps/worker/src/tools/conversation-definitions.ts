import type { ToolDefinition } from './tool.js';

const OUTPUT_CAP = 10_000;

const QUESTION = {
  type: 'object',
  properties: {
    question: {
      type: 'string',
      minLength: 1,
      description: 'The question, with what one needs to know to answer it.',
    },
    options: {
      type: 'array',
      maxItems: 10,
      items: { type: 'string', minLength: 1 },
      description: 'Answers to choose from; any other answer may be given all the same.',
    },
  },
  required: ['question'],
  additionalProperties: false,
};

/** A message to another agent: delivered at its next tool boundary, or resuming it when it has ended (spec 04 §5). */
export const sendMessageDefinition: ToolDefinition = {
  name: 'send_message',
  description:
    'Sends a message to an agent that you launched. A running agent gets it between two steps; an agent that has ended goes on with it. The answer comes as a message.',
  parameters: JSON.stringify({
    type: 'object',
    properties: {
      agent_id: { type: 'string', minLength: 1, description: 'The id that the launch returned.' },
      message: { type: 'string', minLength: 1, description: 'What to tell the agent.' },
    },
    required: ['agent_id', 'message'],
    additionalProperties: false,
  }),
  readOnly: false,
  // By caller, turn and index of the call: a second execution finds the message of the first.
  idempotent: true,
  destructive: false,
  outputCap: OUTPUT_CAP,
};

/** Cancels an agent; cancelling one that has ended changes nothing. */
export const taskStopDefinition: ToolDefinition = {
  name: 'task_stop',
  description: 'Stops an agent that you launched, with everything it has started. What it did is kept.',
  parameters: JSON.stringify({
    type: 'object',
    properties: {
      agent_id: { type: 'string', minLength: 1, description: 'The id that the launch returned.' },
      reason: { type: 'string', description: 'Why, for the record.' },
    },
    required: ['agent_id'],
    additionalProperties: false,
  }),
  readOnly: false,
  idempotent: true,
  destructive: true,
  outputCap: OUTPUT_CAP,
};

/** A question to the person in front of the session; the run is parked until it is answered. */
export const askUserQuestionDefinition: ToolDefinition = {
  name: 'ask_user_question',
  description:
    'Asks the user a question and waits for the answer. Use it only for what you cannot find out or decide yourself.',
  parameters: JSON.stringify(QUESTION),
  readOnly: true,
  idempotent: true,
  destructive: false,
  outputCap: OUTPUT_CAP,
};

/** A subagent's question to the agent that launched it; no tool of sessions or forks. */
export const askQuestionDefinition: ToolDefinition = {
  name: 'ask_question',
  description:
    'Asks the agent that launched you a question and waits for the answer. Use it only for what you cannot find out or decide yourself.',
  parameters: JSON.stringify(QUESTION),
  readOnly: true,
  idempotent: true,
  destructive: false,
  outputCap: OUTPUT_CAP,
};
