import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, errorMessage } from '../errors/error-code.js';
import { isRunning } from './process-state.js';

/** How the wait for a server ended. */
export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

// 57P03: starting up or shutting down; 53300: every connection is taken, so it runs.
const passingCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '57P03', '53300']);

/**
 * Waits until the server answers a query at `url`, for as long as its process `pid` runs and at most
 * `timeoutMs` (recovery after a crash takes its time). A wrong password is not waited for, and the signal ends the wait.
 */
export async function awaitReady(
  url: string,
  pid: number,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Readiness> {
  const deadline = performance.now() + timeoutMs;
  let last = 'no attempt was made';
  while (performance.now() < deadline) {
    const failure = await connectOnce(url);
    if (failure === undefined) return { ok: true };
    last = errorMessage(failure.thrown);
    if (signal?.aborted === true) return { ok: false, reason: 'the start was stopped' };
    if (!isPassing(failure.thrown)) return { ok: false, reason: last };
    if (!(await isRunning(pid))) return { ok: false, reason: `the server ended (${last})` };
    await sleep(30);
  }
  return { ok: false, reason: `not ready after ${timeoutMs} ms (${last})` };
}

/** Runs one statement list on a connection of its own. */
export async function runOnce(url: string, statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const rows: unknown[] = [];
    for (const statement of statements)
      rows.push(...(await client.query<Record<string, unknown>>(statement)).rows);
    return rows;
  } finally {
    await client.end();
  }
}

async function connectOnce(url: string): Promise<{ readonly thrown: unknown } | undefined> {
  try {
    await runOnce(url, ['select 1']);
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

function isPassing(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return (
    (code !== undefined && passingCodes.has(code)) ||
    /terminated unexpectedly|timeout/i.test(errorMessage(thrown))
  );
}
