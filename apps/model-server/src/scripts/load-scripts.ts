import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseScript } from './parse-script.js';
import { isScriptName } from './script-name.js';
import type { ScriptLibrary } from './script-library.js';

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause });
  }
}

/**
 * Loads every `*.json` of a directory, named by its file. Throws when the directory cannot be read or a script is
 * bad, naming the file and each issue: a server with half its scripts would answer wrongly later.
 */
export async function loadScripts(directory: string, library: ScriptLibrary): Promise<void> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
  for (const file of files) {
    const name = file.slice(0, -'.json'.length);
    if (!isScriptName(name)) throw new Error(`${join(directory, file)} has no usable script name`);
    const parsed = parseScript(await readJson(join(directory, file)));
    if (!parsed.ok) throw new Error(`${join(directory, file)} is no script: ${parsed.issues.join('; ')}`);
    if (!library.put(name, parsed.script)) throw new Error(`${directory} holds too many scripts`);
  }
}
