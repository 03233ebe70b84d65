import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { loadConfig, type OffshootConfig } from '#platform';
import { ApiClient } from '../api/api-client.js';
import { runDemo } from '../demo/run-demo.js';
import { verifyDemo } from '../demo/verify-demo.js';
import { copyWorkspace } from '../demo/workspace.js';
import { answerPerson, type ExitCode } from '../policy/answer-person.js';
import { UsageError } from '../policy/usage-error.js';
import { endOnSignals } from '../up/end-on-signals.js';
import { beginSupervisor, type Supervisor, type SupervisorStart } from '../up/start-supervisor.js';

const scriptsDir = fileURLToPath(new URL('../../../../../apps/cli/demo-scripts/', import.meta.url));

interface DemoFlags {
  readonly model: string;
  readonly workspace?: string;
  readonly keep?: boolean;
}

/** `offshoot demo`: the main job on the embedded default, with a worker killed in the middle. */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('launch four forks, kill a worker, and show that every promise held')
    .option(
      '--model <model>',
      'scripted:demo, or openai:<model> with OPENAI_API_KEY or OPENAI_BASE_URL set',
      'scripted:demo',
    )
    .option('--workspace <folder>', "the folder to copy and work in (default: this project's own sources)")
    .option('--keep', 'leave everything running afterwards, for a look at the dashboard')
    .addHelpText(
      'after',
      '\nExamples:\n  $ offshoot demo\n  $ offshoot demo --workspace ~/src/app --keep\n  $ offshoot demo --model openai:gpt-5\n',
    )
    .action(demo);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function demo(flags: DemoFlags): Promise<void> {
  await answerPerson(false, async () => {
    checkModel(flags.model);
    const folder = await mkdtemp(join(tmpdir(), 'offshoot-demo-'));
    const code = await playIn(folder, flags).catch(async (error: unknown) => {
      // Nothing has run yet.
      if (error instanceof UsageError) await remove(folder);
      else print(`What this demo left is in ${folder}`);
      throw error;
    });
    if (code === 0 && flags.keep !== true) await remove(folder);
    else print(`The database and the workspace of this demo are in ${folder}`);
    return code;
  });
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

async function playIn(folder: string, flags: DemoFlags): Promise<ExitCode> {
  const startedMs = performance.now();
  const workspace = await copyWorkspace(flags.workspace, folder);
  const start = beginSupervisor({ config: demoConfig(folder), output: 'ignore' });
  const interruption = onInterrupt(start, () => (flags.keep === true ? Promise.resolve() : remove(folder)));
  try {
    const supervisor = await start.started;
    print(
      `Offshoot runs at ${supervisor.address}; the dashboard is ${supervisor.dashboardUrl ?? supervisor.address}`,
    );
    print(
      `The agents work in ${workspace} with the model ${flags.model}${flags.model.startsWith('scripted:') ? ' (played from a script)' : ''}\n`,
    );
    const code = (await playAndVerify(supervisor, workspace, flags)) ? 0 : 1;
    print(`\nThe demo took ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
    if (flags.keep === true) await keepRunning(code, folder);
    return code;
  } catch (error) {
    // What fails while everything is being stopped fails because of that, and the process ends with the stop.
    if (interruption.happened) return await forEver;
    throw error;
  } finally {
    await start.stop();
  }
}

const forEver = new Promise<never>(() => undefined);

/** Signals stop what runs, or still starts, and clean up behind it. */
function onInterrupt(start: SupervisorStart, cleanUp: () => Promise<void>): { readonly happened: boolean } {
  const interruption = { happened: false };
  const after = (stop: () => Promise<void>) => async (): Promise<void> => {
    interruption.happened = true;
    await stop();
    await cleanUp();
  };
  endOnSignals({ stop: after(() => start.stop()), stopNow: after(() => start.stopNow()) });
  return interruption;
}

/** A model that no worker could ask would end as four agents that wait. */
function checkModel(model: string): void {
  const { openai, anthropic } = loadConfig();
  const name = /^(scripted|openai|anthropic):\S+$/.exec(model)?.[1];
  if (name === undefined)
    throw new UsageError(
      `--model ${model} is no model; write scripted:demo, openai:<model> or anthropic:<model>.`,
    );
  if (name === 'scripted' && model !== 'scripted:demo')
    throw new UsageError(`--model ${model}: the demo has one script, scripted:demo.`);
  const provider = { openai, anthropic }[name];
  if (provider !== undefined && provider.apiKey === undefined && provider.baseUrl === undefined)
    throw new UsageError(
      `--model ${model} needs ${name.toUpperCase()}_API_KEY or ${name.toUpperCase()}_BASE_URL.`,
    );
}

async function playAndVerify(
  supervisor: Supervisor,
  workspace: string,
  { model }: DemoFlags,
): Promise<boolean> {
  const key = await keyOf(supervisor);
  const api = new ApiClient(supervisor.address, key);
  const result = await runDemo({
    api,
    model,
    workspace,
    print,
    timeoutMs: model.startsWith('scripted:') ? 45_000 : 600_000,
  });
  print('');
  const checks = await verifyDemo(api, result);
  for (const { promise, holds, seen } of checks)
    print(`${holds ? 'held  ' : 'BROKEN'}  ${promise} [${seen}]`);
  const broken = checks.filter((check) => !check.holds).length;
  print(
    broken === 0
      ? `\nAll ${checks.length} promises held.`
      : `\n${broken} of ${checks.length} promises did not hold.`,
  );
  return broken === 0;
}

/** A data directory of its own, two workers so that one can die, and a free port: a running Offshoot is left alone. */
function demoConfig(folder: string): OffshootConfig {
  const dataDir = join(folder, 'data');
  return { ...loadConfig(), dataDir, scriptsDir, workers: 2, http: { host: '127.0.0.1', port: 0 } };
}

async function keyOf({ keyFile }: Supervisor): Promise<string> {
  if (keyFile !== undefined) return (await readFile(keyFile, 'utf8')).trim();
  return loadConfig().apiKey ?? '';
}

/** The signal that ends it is `onInterrupt`'s; the exit code is that of the demo. */
function keepRunning(code: ExitCode, folder: string): Promise<never> {
  process.exitCode = code;
  print(`Everything is left running over ${folder}; stop it with Ctrl-C.`);
  return forEver;
}
