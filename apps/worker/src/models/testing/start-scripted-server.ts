import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');

/** A strict model server in a process of its own, as it runs in production. */
export interface ScriptedServer {
  /** What the server says it listens on. */
  readonly url: string;
  putScript(name: string, script: object): Promise<void>;
  /** The bodies received so far, as text, in the order of arrival. */
  bodies(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

async function bundle(): Promise<{ path: string; remove: () => Promise<void> }> {
  const shelf = join(root, 'dist', '.test');
  await mkdir(shelf, { recursive: true });
  // Inside the project, so that packages are found.
  const folder = await mkdtemp(join(shelf, 'model-server-'));
  const path = join(folder, 'main.mjs');
  const entry = join(root, 'apps', 'model-server', 'src', 'main.ts');
  await build({
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Starts the server from its sources; `stop` ends it and waits until it is gone. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const script = await bundle();
  const child = spawn(process.execPath, [script.path, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)]);
  if (first === null) throw new Error('The model server ended before it listened.');
  const url = (JSON.parse(String(first[0])) as { listening: string }).listening;
  return {
    url,
    async putScript(name, body) {
      const response = await fetch(`${url}/_scripts/${name}`, { method: 'PUT', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`The script was refused: ${await response.text()}`);
    },
    async bodies() {
      const listed = (await (await get(`${url}/_requests?limit=1000`)).json()) as {
        requests: { n: number }[];
      };
      const bodies = listed.requests.map(async ({ n }) => (await get(`${url}/_requests/${n}/body`)).text());
      return Promise.all(bodies);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      lines.close();
      await script.remove();
    },
  };
}
