import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_NAMES } from '#policy';
import { browserDefinitions } from '../browser/browser-definitions.js';
import { compileSchema } from './compile-schema.js';
import { askQuestionDefinition } from './conversation-definitions.js';
import { builtInDefinitions, builtInTools } from './built-in-tools.js';
import { SMALLEST_CAP } from './output-cap.js';
import { validateArguments } from './validate-arguments.js';

const all = Array.from(builtInDefinitions.values());

describe('the built-in tools', () => {
  it('are those that the policy library lists for questions without a worker, the browser tools last', () => {
    const browser = Object.values(browserDefinitions).map(({ name }) => name);
    const [own, looked] = [BUILT_IN_NAMES.slice(0, all.length), BUILT_IN_NAMES.slice(all.length)];
    expect(own).toEqual(all.map(({ name }) => name));
    expect([...looked].sort()).toEqual(browser.sort());
  });

  it('are these, in this order, and declare what they do', () => {
    const traits = all.map(({ name, readOnly, idempotent, destructive }) =>
      [name, readOnly && 'reads', idempotent && 'again', destructive && 'destroys'].filter(Boolean).join(' '),
    );
    expect(traits).toEqual([
      'read_file reads again',
      'list_directory reads again',
      'glob reads again',
      'grep_search reads again',
      'write_file destroys',
      'edit destroys',
      'run_shell_command destroys',
      'web_fetch again',
      'todo_write reads again',
      'agent again',
      'send_message again',
      'task_stop again destroys',
      'ask_user_question reads again',
    ]);
  });

  it('have an executor each, but for the four that other rooms carry out', () =>
    expect(all.map(({ name }) => name).filter((name) => !builtInTools.has(name))).toEqual([
      'agent',
      'send_message',
      'task_stop',
      'ask_user_question',
    ]));

  it.each([...all, askQuestionDefinition])(
    '$name has a closed schema that compiles and a cap that holds a marker',
    (tool) => {
      expect(compileSchema(tool.parameters).ok).toBe(true);
      expect(JSON.parse(tool.parameters)).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputCap).toBeGreaterThanOrEqual(SMALLEST_CAP);
      expect(validateArguments(tool.parameters, '{"__proto__":{},"no":1}').ok).toBe(false);
    },
  );

  it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf', ''])(
    '[T09] %j is no tool',
    (name) => {
      expect(builtInTools.has(name)).toBe(false);
      expect(builtInDefinitions.has(name)).toBe(false);
    },
  );

  it('are declared in the same bytes as before: a changed byte breaks the cache of every conversation', () => {
    const bytes = all
      .map(({ name, description, parameters }) => `${name}\n${description}\n${parameters}\n`)
      .join('');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '9f35c690a13fe5d4d2723aa2088afec9cf87c178a076906e6023980a80072b3e',
    );
  });

  it('the agent call declares every parameter of the contract but the call id of hosts', () => {
    const { parameters } = builtInDefinitions.get('agent')!;
    const schema = JSON.parse(parameters) as { properties: object };
    expect(Object.keys(schema.properties)).toEqual([
      ...[
        'description',
        'prompt',
        'subagent_type',
        'fork_tools',
        'fork_profile',
        'fork_turns',
        'name',
        'model',
      ],
      ...['run_in_background', 'working_dir', 'isolation', 'limits', 'onApproval'],
    ]);
    expect(validateArguments(parameters, '{"description":"d","prompt":"p"}').ok).toBe(true);
  });
});
