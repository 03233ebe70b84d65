import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isError } from './is-error.js';
import { CallCancelledError } from './request-call.js';
import { DeadlineError } from './with-deadline.js';

const closedCode: number = ErrorCode.ConnectionClosed;

/** A server refuses the session: it restarted or dropped it. 404 by the protocol; servers in the wild say 400 and name the session. */
export function isSessionGone(thrown: unknown): boolean {
  if (!(thrown instanceof StreamableHTTPError)) return false;
  return thrown.code === 404 || (thrown.code === 400 && /session/i.test(thrown.message));
}

/** A request certainly did not reach its server, so that it may be sent again. */
export function neverArrived(thrown: unknown): boolean {
  if (isSessionGone(thrown)) return true;
  if (!isError(thrown)) return false;
  if (thrown.message === 'Not connected' || codeOf(thrown.cause) === 'ECONNREFUSED') return true;
  // A stdio server closed its input: what was written last is no whole message to it.
  return codeOf(thrown) === 'EPIPE' || codeOf(thrown) === 'ERR_STREAM_DESTROYED';
}

/** The network failed, as opposed to an answer that says no or does not come. */
export function isUnreachable(thrown: unknown): boolean {
  return neverArrived(thrown) || (isError(thrown) && thrown.name === 'TypeError');
}

function codeOf(fault: unknown): unknown {
  return typeof fault === 'object' && fault !== null && 'code' in fault ? fault.code : undefined;
}

/** A stream of an HTTP server broke. The SDK says so in words only, and keeps what was under way waiting. */
export function isStreamFault(thrown: unknown): boolean {
  return isError(thrown) && /SSE stream|reconnection attempts/.test(thrown.message);
}

/** What went wrong, in words; to be masked before anybody sees them. */
export function describeFault(thrown: unknown): string {
  if (!isError(thrown)) return String(thrown);
  const cause = isError(thrown.cause) ? ` (${thrown.cause.message})` : '';
  return `${thrown.message}${cause}`;
}

/** The result text of a call that has no result, saying whether it may have taken effect. */
export function describeCallFault(server: string, thrown: unknown): string {
  if (thrown instanceof CallCancelledError) return 'Cancelled.';
  if (thrown instanceof DeadlineError)
    return `MCP server "${server}": ${thrown.message}; the call was cancelled, and whether it took effect is unknown.`;
  if (thrown instanceof McpError && thrown.code === closedCode)
    return `MCP server "${server}" went away while the call was under way; whether it took effect is unknown. It is started or dialled again for the next call.`;
  return `MCP server "${server}" failed: ${describeFault(thrown)}`;
}
