import type { ErrorReply, Protocol } from '../protocol/protocol.js';
import { readChatRequest } from './read-chat-request.js';
import { renderChunks } from './render-chunks.js';
import { renderCompletion } from './render-completion.js';

const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
]);

function renderError(error: ErrorReply) {
  const type =
    error.type ?? types.get(error.status) ?? (error.status < 500 ? 'invalid_request_error' : 'server_error');
  return { error: { message: error.message, type, param: error.param, code: error.code } };
}

/** OpenAI's chat completions. */
export const openaiProtocol: Protocol = {
  path: '/v1/chat/completions',
  read: readChatRequest,
  renderError,
  renderWhole: renderCompletion,
  renderFrames: renderChunks,
};
