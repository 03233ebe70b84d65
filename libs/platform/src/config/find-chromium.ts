import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ConfigError } from './config-error.js';

const VARIABLE = 'OFFSHOOT_CHROMIUM';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The browser program of this machine: the file that `OFFSHOOT_CHROMIUM` names, else the first usual name on the path; null
 * when there is none, or when the variable says `none`. Throws `ConfigError` for a named file that cannot be run.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env[VARIABLE]?.trim() ?? '';
  if (named === 'none') return null;
  if (named === '') return firstOnPath(env['PATH'] ?? '');
  if (isProgram(named)) return named;
  throw new ConfigError([{ variable: VARIABLE, accepted: 'a Chromium that can be run, or none' }]);
}

function firstOnPath(path: string): string | null {
  const folders = path.split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
