import { BROWSER_PROXY_BUILD_TOOLS } from './read-only-tools.js';

/**
 * Every built-in that a session or fork can be declared, by registry name, in the order of declaration; the browser tools only where there is a
 * browser. `ask_question` is not among them: subagents alone have it.
 */
export const BUILT_IN_NAMES: readonly string[] = Object.freeze([
  'read_file',
  'list_directory',
  'glob',
  'grep_search',
  'write_file',
  'edit',
  'run_shell_command',
  'web_fetch',
  'todo_write',
  'agent',
  'send_message',
  'task_stop',
  'ask_user_question',
  ...BROWSER_PROXY_BUILD_TOOLS,
]);
