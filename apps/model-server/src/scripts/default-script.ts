import type { Script } from './script-schema.js';

/** Name of the script that is always there. */
export const defaultScriptName = 'default';

/** Says the last user message back and finishes at once. */
export const defaultScript: Script = {
  description: 'Says the last user message back and finishes.',
  rules: [{ name: 'echo', when: {}, answer: { text: '{{lastUser}}' }, delivery: {} }],
};
