import { type Command, Option } from 'commander';
import { WORKFLOW_MODES } from '#policy';
import { findServer } from '../api/find-server.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { commandGroup } from '../policy/command-group.js';
import { entryMatches } from '../policy/entry-matches.js';
import { evaluateOffline } from '../policy/evaluate-offline.js';
import { visible } from '../policy/format-table.js';
import type { EvaluationAnswer } from '../policy/policy-answers.js';
import { printEvaluation } from '../policy/print-evaluation.js';
import { readToolList, type ToolListFlags } from '../policy/read-tool-list.js';
import { paintFor, print, printJson } from '../policy/terminal.js';
import { UsageError } from '../policy/usage-error.js';

interface CheckFlags extends ToolListFlags {
  readonly kind: 'fork' | 'subagent';
  readonly mode: string;
  readonly builtin?: string;
  readonly mcp?: readonly string[];
  readonly agent?: string;
  readonly call?: readonly string[];
  readonly json?: boolean;
}

const examples = `
Exit codes: 0 the list is sound and every --call is allowed, 1 it is not, 2 it could not be judged.

Examples:
  $ offshoot policy check --tools read_file,grep_search
  $ offshoot policy check --tools-file tools.json --mode plan
  $ offshoot policy check --tools 'mcp__github__*' --mcp github/search --call mcp__github__search
  $ offshoot policy check --no-tools --json
  $ offshoot policy check --tools read_file --agent 01890000-0000-7000-8000-000000000001
`;

/** `offshoot policy check`: what a list would let an agent do, without launching one. */
export function registerPolicyCheck(program: Command): void {
  commandGroup(program, 'policy', 'ask what a tool list permits')
    .command('check')
    .description(
      'judge a tool list and the calls that it would allow; without a server unless --agent is given',
    )
    .option('--tools <entries>', 'the entries of the list, separated by commas')
    .option('--no-tools', 'the empty list, which denies every tool')
    .option('--tools-file <file>', 'the list as a JSON array or one entry a line; - is the standard input')
    .addOption(
      new Option(
        '--kind <kind>',
        'what would be launched; for a subagent the tools are those of its definition',
      )
        .choices(['fork', 'subagent'])
        .default('fork'),
    )
    .addOption(
      new Option('--mode <mode>', 'workflow mode of the launch').choices(WORKFLOW_MODES).default('build'),
    )
    .option(
      '--builtin <names>',
      'the built-in tools that there are, separated by commas (default: all known)',
    )
    .option('--mcp <tools...>', 'MCP tools that there are, as <server>/<tool>')
    .option('--agent <id>', 'take the tools that this agent last ran with, from the server')
    .option('--call <names...>', 'tools to ask about, as a model calls them (default: all that there are)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: CheckFlags) => answerPerson(flags.json === true, () => check(flags)));
}

async function check(flags: CheckFlags): Promise<ExitCode> {
  const answer = flags.agent === undefined ? await askHere(flags) : await askServer(flags.agent, flags);
  if (answer === null) return 1;
  const matches = entryMatches(answer);
  if (flags.json === true) printJson({ ...answer, entries: matches });
  else print(printEvaluation(answer, matches, paintFor(process.stdout.isTTY)));
  return flags.call !== undefined && answer.decisions.some(({ allowed }) => !allowed) ? 1 : 0;
}

/** Null when the list was refused, which has been told then. */
async function askHere(flags: CheckFlags): Promise<EvaluationAnswer | null> {
  const { kind, mode, builtin, mcp, call } = flags;
  const result = evaluateOffline({
    kind,
    mode,
    list: await readToolList(flags),
    ...(builtin === undefined ? {} : { builtin: builtin === '' ? [] : builtin.split(',') }),
    ...(mcp === undefined ? {} : { mcp }),
    ...(call === undefined ? {} : { calls: call }),
  });
  if (result.ok) return result.value;
  const { code, message, offenders } = result.rejection;
  if (flags.json === true) printJson({ error: { code, message, offenders } });
  else process.stderr.write(`${code}: ${visible(message)}\n`);
  return null;
}

async function askServer(agentId: string, flags: CheckFlags): Promise<EvaluationAnswer> {
  if (flags.builtin !== undefined || flags.mcp !== undefined)
    throw new UsageError(
      'Give the tools that there are (--builtin, --mcp) or the agent that has them (--agent).',
    );
  const list = await readToolList(flags);
  const api = await findServer();
  const question = {
    kind: flags.kind,
    mode: flags.mode,
    agentId,
    ...(list.given ? { [flags.kind === 'fork' ? 'fork_tools' : 'tools']: list.list } : {}),
  };
  const ask = (calls: readonly string[]): Promise<EvaluationAnswer> =>
    api.post<EvaluationAnswer>('/v1/policy/evaluate', { ...question, calls });
  if (flags.call !== undefined) return ask(flags.call);
  const { surface } = await ask([]);
  return ask(surface.map(({ wireName }) => wireName));
}
