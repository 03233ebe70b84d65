import type { ErrorReply, Protocol } from '../protocol/protocol.js';
import { readMessagesRequest } from './read-messages-request.js';
import { renderEvents } from './render-events.js';
import { renderMessage } from './render-message.js';

const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

function renderError(error: ErrorReply) {
  const type =
    error.type ?? types.get(error.status) ?? (error.status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message: error.message } };
}

/** Anthropic's Messages. */
export const anthropicProtocol: Protocol = {
  path: '/v1/messages',
  read: readMessagesRequest,
  renderError,
  renderWhole: renderMessage,
  renderFrames: renderEvents,
};
