import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shellCommands } from '../permissions/shell-words.js';
import type { Hook } from './hook.js';

/**
 * Real paths of the operator's file and of the files that its hooks name: whoever changes them changes what agents may do, so they are
 * protected where they lie inside a project. Looked up once, when the worker starts, as the file itself is read once.
 */
export function operatorFiles(
  hooks: readonly Pick<Hook, 'command'>[],
  configFile: string | undefined,
): readonly string[] {
  if (configFile === undefined) return [];
  const folder = dirname(configFile);
  const words = hooks.flatMap(({ command = '' }) => shellCommands(command).flat());
  const named = words.map(({ text }) => text).filter((text) => !text.includes('\0'));
  const files = [configFile, ...named.map((text) => resolve(folder, text))].filter(isFile);
  return [...new Set(files.map((path) => realpathSync(path)))];
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
