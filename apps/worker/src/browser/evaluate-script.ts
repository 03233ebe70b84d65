import type { CDPSession, Page } from 'playwright-core';
import { withDeadline } from '../mcp/with-deadline.js';

/** What a script came to: a value as text, or what it threw. */
export interface ScriptEnd {
  readonly outcome: 'ok' | 'error';
  readonly text: string;
}

interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly objectId?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
}
interface Evaluated {
  readonly result: RemoteObject;
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
}

const MOST_UNITS = 400_000;

/** Runs in the page: an object as JSON, cut there, so that a page cannot send a worker more than it can hold. */
const RENDER = `function (most) {
  let text;
  try { text = JSON.stringify(this, null, 1); } catch { /* cyclic */ }
  return String(text === undefined ? this : text).slice(0, most);
}`;

/**
 * Runs a script through the protocol, where no content policy of the page forbids it, with `await` at the top. A loop is
 * ended after `timeoutMs`; a promise that does not settle is left behind. Rejects with a `DeadlineError`, or when aborted.
 */
export async function evaluateScript(
  page: Page,
  script: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ScriptEnd> {
  const session = await page.context().newCDPSession(page);
  try {
    return await withDeadline(evaluate(session, script, timeoutMs), timeoutMs, 'The script', signal);
  } finally {
    session.detach().catch(() => undefined);
  }
}

async function evaluate(session: CDPSession, expression: string, timeout: number): Promise<ScriptEnd> {
  const options = { expression, timeout, awaitPromise: true, replMode: true };
  const { result, exceptionDetails: thrown } = await settle(
    session,
    await session.send('Runtime.evaluate', options),
  );
  if (thrown !== undefined)
    return { outcome: 'error', text: thrown.exception?.description ?? `${thrown.text} ${valueText(result)}` };
  if (result.objectId === undefined) return { outcome: 'ok', text: valueText(result) };
  const rendered = (await session.send('Runtime.callFunctionOn', {
    ...{ objectId: result.objectId, functionDeclaration: RENDER, arguments: [{ value: MOST_UNITS }] },
    returnByValue: true,
  })) as Evaluated;
  return { outcome: 'ok', text: valueText(rendered.result) };
}

/** A script may await; a promise that is its value is awaited for it. */
async function settle(session: CDPSession, evaluated: Evaluated): Promise<Evaluated> {
  const { subtype, objectId } = evaluated.result;
  if (subtype !== 'promise' || objectId === undefined) return evaluated;
  return await session.send('Runtime.awaitPromise', { promiseObjectId: objectId });
}

function valueText({ type, value, unserializableValue }: RemoteObject): string {
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === 'undefined') return 'undefined';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_UNITS);
}
