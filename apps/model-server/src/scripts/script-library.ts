import { defaultScript, defaultScriptName } from './default-script.js';
import type { Script } from './script-schema.js';
import { scriptNameOf } from './script-name.js';

const maxScripts = 1000;

/** The loaded scripts by name. */
export class ScriptLibrary {
  private readonly scripts = new Map<string, Script>([[defaultScriptName, defaultScript]]);

  /** The script that plays a request's `model`, or null. */
  find(model: string): Script | null {
    return this.scripts.get(scriptNameOf(model)) ?? null;
  }

  /** Adds or replaces; false when the library is full. */
  put(name: string, script: Script): boolean {
    if (!this.scripts.has(name) && this.scripts.size >= maxScripts) return false;
    this.scripts.set(name, script);
    return true;
  }

  /** False when there was none of this name. */
  remove(name: string): boolean {
    return this.scripts.delete(name);
  }

  get names(): readonly string[] {
    return [...this.scripts.keys()].sort();
  }
}
