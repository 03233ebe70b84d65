import { expect, it } from '@jest/globals';
import * as policy from './index.js';

it('the published rejection codes are these', () => {
  expect(Object.values(policy.PolicyCode)).toEqual([
    'AGENT_CALL_NOT_APPLICABLE',
    'TEAMMATES_NOT_SUPPORTED',
    'AGENT_CALL_COMBINATION',
    'AGENT_CALL_INVALID',
    'ALLOWLIST_INVALID',
    'SERVER_NAME_INVALID',
    'TOOLS_OUTSIDE_MODE',
    'TOOLSET_MALFORMED',
    'EXPLORER_TOOLSET',
    'PROFILE_NAME_INVALID',
    'PROFILE_FILE_INVALID',
    'DEFINITION_INVALID',
    'BARE_MODE',
    'SAFE_MODE',
    'LEGACY_POLICY_UNREADABLE',
    'STORED_POLICY_UNREADABLE',
    'STORED_CEILING_UNREADABLE',
    'JSON_OUT_OF_BOUNDS',
  ]);
});

it('the published refusal reasons are these', () => {
  expect(Object.values(policy.RefusalReason)).toEqual([
    'undeclared',
    'not_in_allowlist',
    'deny_all',
    'forbidden_in_fork',
    'blocked_by_mode',
    'no_executor',
  ]);
});

it('[POL-10] the closed list is these names, in both spellings', () => {
  expect(policy.REPOSITORY_READ_ONLY_TOOLS).toEqual(['read', 'grep', 'find', 'ls']);
  expect(policy.BROWSER_PROXY_READ_ONLY_TOOLS).toEqual([
    'browser_console',
    'browser_screenshot',
    'browser_network',
  ]);
  expect([...policy.BROWSER_PROXY_BUILD_TOOLS].sort()).toEqual([
    'browser_click',
    'browser_close',
    'browser_console',
    'browser_eval',
    'browser_fill',
    'browser_goto',
    'browser_network',
    'browser_screenshot',
  ]);
  expect(policy.CLOSED_LIST).toEqual([
    'read',
    'grep',
    'find',
    'ls',
    'ask_question',
    'subagent',
    'browser_console',
    'browser_screenshot',
    'browser_network',
  ]);
  expect(policy.CLOSED_REGISTRY_NAMES).toEqual([
    'read_file',
    'grep_search',
    'glob',
    'list_directory',
    'ask_question',
    'agent',
    'browser_console',
    'browser_screenshot',
    'browser_network',
  ]);
});

it('[POL-8] what no fork runs is these four', () => {
  expect(policy.FORBIDDEN_IN_FORK).toEqual(['agent', 'send_message', 'task_stop', 'ask_user_question']);
});

it('the stored shapes are these', () => {
  expect(JSON.stringify(policy.UNRESTRICTED)).toBe('{"version":1,"kind":"unrestricted"}');
  expect(JSON.stringify(policy.NO_CEILING)).toBe('{"version":1,"kind":"none"}');
  expect(JSON.stringify(policy.listPolicy({ entries: [] }))).toBe(
    '{"version":1,"kind":"list","entries":[],"bindings":[]}',
  );
});

it('the parameters of the Agent call are these, in the order in which content is judged', () => {
  expect(policy.AGENT_CALL_PARAMETERS).toEqual([
    'description',
    'prompt',
    'subagent_type',
    'fork_tools',
    'fork_profile',
    'fork_turns',
    'name',
    'model',
    'run_in_background',
    'working_dir',
    'isolation',
    'limits',
    'onApproval',
    'toolCallId',
  ]);
});
