import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { McpDeadlines } from './mcp-options.js';
import { DeadlineError } from './with-deadline.js';

/** The run that wanted a call does not want it any more. */
export class CallCancelledError extends Error {
  readonly code = 'CALL_CANCELLED';
}

export interface CallRequest {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

type CallDeadlines = Pick<McpDeadlines, 'callMs' | 'callMaxMs'>;

/** Above our own deadlines, which also tell the server to stop; the SDK's does not when progress went on for too long. */
const SLACK_MS = 60_000;

/**
 * Makes one call and resolves with the server's result, unjudged. Progress extends the deadline up to the maximum. When time is
 * up or the signal is aborted, the server is told to stop, the call rejects (`DeadlineError`, `CallCancelledError`) and a late
 * answer is dropped; other calls on the connection go on.
 */
export async function requestCall(
  client: Client,
  call: CallRequest,
  { callMs, callMaxMs }: CallDeadlines,
): Promise<unknown> {
  const stop = new AbortController();
  const expire = (ms: number) => () => stop.abort(new DeadlineError(`no answer came within ${ms / 1_000} s`));
  const idle = setTimeout(expire(callMs), callMs);
  const most = setTimeout(expire(callMaxMs), callMaxMs);
  const cancel = (): void => stop.abort(new CallCancelledError('the run was stopped'));
  call.signal.addEventListener('abort', cancel);
  if (call.signal.aborted) cancel();
  try {
    stop.signal.throwIfAborted();
    return await client.request(
      { method: 'tools/call', params: { name: call.tool, arguments: call.arguments } },
      z.unknown(),
      { signal: stop.signal, timeout: callMaxMs + SLACK_MS, onprogress: () => void idle.refresh() },
    );
  } catch (thrown) {
    throw stop.signal.aborted ? stop.signal.reason : thrown;
  } finally {
    clearTimeout(idle);
    clearTimeout(most);
    call.signal.removeEventListener('abort', cancel);
  }
}
