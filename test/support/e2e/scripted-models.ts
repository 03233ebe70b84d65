import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const main = join(import.meta.dirname, '..', '..', '..', 'dist/apps/model-server/src/main.js');

/** One request as the strict model server recorded it. */
export interface RecordedRequest {
  readonly n: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null while it is being answered, or when its client went away. */
  readonly status: number | null;
  readonly end: string | null;
  /** How many requests were being answered when it came, itself included. */
  readonly atOnce: number;
  readonly body: string;
}

/** The strict model server as a process of its own. */
export interface ScriptedModels {
  readonly url: string;
  /** Puts a script under a name; models call it `scripted:<name>`. */
  script(name: string, script: object): Promise<void>;
  requests(): Promise<readonly RecordedRequest[]>;
  stop(): Promise<void>;
}

export async function startScriptedModels(): Promise<ScriptedModels> {
  const child = spawn(process.execPath, [main, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`The model server ended with code ${code} before it listened.`)),
    );
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve((JSON.parse(line) as { listening: string }).listening),
    );
  });
  return {
    url,
    script: async (name, script) => {
      const response = await fetch(`${url}/_scripts/${name}`, {
        method: 'PUT',
        body: JSON.stringify(script),
        headers: { 'content-type': 'application/json' },
      });
      if (!response.ok) throw new Error(`The script ${name} was refused: ${await response.text()}`);
    },
    requests: async () => {
      const all: RecordedRequest[] = [];
      for (let after = 0; ;) {
        const page = (await (await fetch(`${url}/_requests?after=${after}&limit=200`)).json()) as {
          requests: RecordedRequest[];
          next: number;
        };
        all.push(...page.requests);
        if (page.requests.length === 0) return all;
        after = page.next;
      }
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}
