import type { ToolDefinition } from './tool.js';

const LIMITS = {
  type: 'object',
  description: 'Limits for the agent; they can only be lower than the configured ones.',
  properties: {
    maxTurns: { type: 'integer', minimum: 1 },
    maxToolCalls: { type: 'integer', minimum: 1 },
    maxTokens: { type: 'integer', minimum: 1 },
    maxCostUsd: { type: 'number', exclusiveMinimum: 0 },
    maxSeconds: { type: 'number', exclusiveMinimum: 0 },
  },
  additionalProperties: false,
};

/**
 * The declaration of the Agent call (spec 02 §1). The schema is what the model is told; a call is judged by
 * `libs/policy`, whose order of refusals and codes are the contract, not by this schema.
 */
export const agentDefinition: ToolDefinition = {
  name: 'agent',
  description:
    'Launches another agent for a task of its own. In the background it returns its id at once and the outcome is delivered to you as a message, so do not wait for it, ask for it or do its work yourself; with run_in_background false the outcome is the result of this call. With subagent_type "fork" it inherits this conversation and can be restricted to some tools by fork_tools or fork_profile; any other subagent_type is an agent definition that starts without the conversation.',
  parameters: JSON.stringify({
    type: 'object',
    properties: {
      description: { type: 'string', minLength: 1, description: 'What the agent does, in 3 to 5 words.' },
      prompt: {
        type: 'string',
        minLength: 1,
        description: 'The task, complete in itself: what to do, what to leave alone and what to report.',
      },
      subagent_type: {
        type: 'string',
        description:
          '"fork" for a fork of this conversation, or the name of an agent definition; default "worker".',
      },
      fork_tools: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Forks only: the tools that the fork may run, by exact name, "mcp__*" or "mcp__<server>__<prefix>*". Left out: no restriction of its own. Empty: none at all.',
      },
      fork_profile: {
        type: 'string',
        description: 'Forks only: the name of a profile of the project, in place of fork_tools.',
      },
      fork_turns: {
        type: 'string',
        description:
          'Forks only: "all", or how many of the last user turns the fork inherits, such as "3"; default "all".',
      },
      name: {
        type: 'string',
        description: 'Reserved for named teammates, which are not supported: leave it out.',
      },
      model: { type: 'string', description: 'Agent definitions only: another model. A fork keeps this one.' },
      run_in_background: {
        type: 'boolean',
        description:
          'false: wait, and get the outcome as the result of this call. Default true for forks, false for agent definitions.',
      },
      working_dir: {
        type: 'string',
        description: 'Agent definitions only: a directory inside the project root.',
      },
      isolation: { type: 'string', description: 'Reserved: leave it out.' },
      limits: LIMITS,
      onApproval: {
        enum: ['park', 'deny'],
        description:
          'What becomes of a call of the agent that needs approval: wait for it (default) or deny it.',
      },
    },
    required: ['description', 'prompt'],
    additionalProperties: false,
  }),
  readOnly: false,
  // By caller, turn and index of the call: a second execution finds the agent of the first.
  idempotent: true,
  destructive: false,
  outputCap: 30_000,
};
