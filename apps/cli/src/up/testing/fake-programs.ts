import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Programs } from '../programs.js';

/** What a fake program wrote down. */
export interface FakeLine {
  readonly role: string;
  readonly pid: number;
  readonly started?: readonly string[];
  readonly ended?: string;
  readonly deaf?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Programs that do nothing but run, for specs of the supervisor. */
export interface FakePrograms {
  readonly programs: Programs;
  /** What each child must be given. */
  readonly env: Readonly<Record<string, string>>;
  lines(): Promise<readonly FakeLine[]>;
  /** From now on this program ends with code 3 when it is started. */
  fail(role: string): Promise<void>;
}

/** Places the fakes in a folder (absolute). */
export async function fakePrograms(folder: string): Promise<FakePrograms> {
  const log = join(folder, 'fakes.log');
  await writeFile(log, '');
  return {
    env: { FAKE_LOG: log },
    programs: {
      migrate: await place(folder, 'migrate'),
      operate: await place(folder, 'operate'),
      orchestrator: await place(folder, 'orchestrator'),
      worker: await place(folder, 'worker'),
      modelServer: await place(folder, 'model-server'),
    },
    lines: async () => {
      const text = await readFile(log, 'utf8');
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as FakeLine);
    },
    fail: (role) => writeFile(`${log}.fail-${role}`, ''),
  };
}

async function place(folder: string, role: string): Promise<string> {
  const path = join(folder, `fake-${role}.mjs`);
  await symlink(join(import.meta.dirname, 'fake-child.mjs'), path);
  return path;
}
