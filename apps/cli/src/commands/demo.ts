import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { loadConfig, type OffshootConfig } from '#platform';
import { ApiClient } from '../api/api-client.js';
import { runDemo } from '../demo/run-demo.js';
import { verifyDemo } from '../demo/verify-demo.js';
import { copyWorkspace } from '../demo/workspace.js';
import { startSupervisor, type Supervisor } from '../up/start-supervisor.js';

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
  const startedMs = performance.now();
  const workspace = await copyWorkspace(flags.workspace);
  const supervisor = await startSupervisor({ config: await demoConfig(), output: 'ignore' });
  try {
    print(
      `Offshoot runs at ${supervisor.address}; the dashboard is ${supervisor.dashboardUrl ?? supervisor.address}`,
    );
    print(
      `The agents work in ${workspace} with the model ${flags.model}${flags.model.startsWith('scripted:') ? ' (played from a script)' : ''}\n`,
    );
    process.exitCode = (await playAndVerify(supervisor, workspace, flags)) ? 0 : 1;
    print(`\nThe demo took ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
    if (flags.keep === true) await untilInterrupted();
  } finally {
    await supervisor.stop();
  }
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
async function demoConfig(): Promise<OffshootConfig> {
  const config = loadConfig();
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-demo-data-'));
  return { ...config, dataDir, scriptsDir, workers: 2, http: { host: '127.0.0.1', port: 0 } };
}

async function keyOf({ keyFile }: Supervisor): Promise<string> {
  if (keyFile !== undefined) return (await readFile(keyFile, 'utf8')).trim();
  return loadConfig().apiKey ?? '';
}

async function untilInterrupted(): Promise<void> {
  print('Everything is left running; stop it with Ctrl-C.');
  await new Promise<void>((resolve) => void process.once('SIGINT', resolve).once('SIGTERM', resolve));
}
