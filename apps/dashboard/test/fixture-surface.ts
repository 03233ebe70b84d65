/** The tools that the story's agents are shown. */
export const declared = [
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
  'ask_user_question',
  'mcp__tickets__search',
  'mcp__tickets__close',
];
