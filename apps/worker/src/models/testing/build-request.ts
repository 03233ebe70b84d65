import type { CallBlock, Message } from '#transcripts';

import type { ModelRequest } from '../model.js';

export function user(text: string): Message {
  return { role: 'user', blocks: [{ type: 'text', text }] };
}

export function call(id: string, fields: Partial<CallBlock> = {}): CallBlock {
  return { type: 'call', id, name: 'read_file', arguments: '{}', ...fields };
}

export function calling(...calls: readonly CallBlock[]): Message {
  return { role: 'assistant', blocks: [...calls] };
}

/** The results of one batch: call id and content by turns. */
export function results(...pairs: readonly (readonly [string, string])[]): Message {
  const blocks = pairs.map(([callId, content]) => ({
    type: 'result' as const,
    callId,
    name: 'read_file',
    content,
    isError: false,
  }));
  return { role: 'tool', blocks };
}

export function buildRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: 'Be brief.',
    declarations: [],
    settings: '{}',
    messages: [user('hello')],
    inheritedLengths: [],
    ...fields,
  };
}
