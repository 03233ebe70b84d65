import type { AssistantMessage, CallBlock, Message, ToolMessage } from '#transcripts';

import type { ModelRequest, ToolDeclaration } from '../model.js';
import { ANTHROPIC_CALL_ID, OutgoingCallIds } from '../outgoing-call-ids.js';
import type { RenderedRequest } from '../rendered-request.js';
import { hasMember, isJsonObject, membersText } from '../request-settings.js';
import {
  EMPTY_MESSAGE,
  EMPTY_RESULT,
  EMPTY_TURN,
  sendableContent,
  sendableName,
} from '../sendable-content.js';
import { quote, wellFormedJson } from '../well-formed.js';
import { anthropicOpaqueProvider, mayReplay } from './anthropic-opaque.js';
import { CACHE_MARK, markedMessages } from './cache-marks.js';

export interface AnthropicRenderOptions {
  /** What `max_tokens` is where the settings say nothing: the protocol wants it said. */
  readonly maxOutputTokens: number;
}

const textBlock = (text: string): string => `{"type":"text","text":${quote(text)}}`;

/** Puts the mark behind the last member of a rendered block. */
const marked = (block: string): string => `${block.slice(0, -1)}${CACHE_MARK}}`;

function renderTool(tool: ToolDeclaration): string {
  const schema = wellFormedJson(tool.parametersText);
  return `{"name":${quote(tool.name)},"description":${quote(tool.description)},"input_schema":${schema}}`;
}

/** Everything in front of the messages, with the one mark that no history moves. */
function renderHead(request: ModelRequest): string {
  const { system, declarations } = request;
  const members = [`"model":${quote(request.model)}`];
  const settings = membersText(request.settings);
  if (settings !== '') members.push(settings);
  const hasSystem = system !== null && system.trim() !== '';
  const tools = declarations.map(renderTool);
  if (!hasSystem && tools.length > 0) tools.push(marked(tools.pop() ?? ''));
  if (tools.length > 0) members.push(`"tools":[${tools.join(',')}]`);
  if (hasSystem) members.push(`"system":[${marked(textBlock(system))}]`);
  return `{${members.join(',')},"messages":[`;
}

/** The volatile keys stand behind everything that was asked. */
function renderTail(request: ModelRequest, { maxOutputTokens }: AnthropicRenderOptions): string {
  const cap = hasMember(request.settings, 'max_tokens') ? '' : `"max_tokens":${maxOutputTokens},`;
  return `],${cap}"stream":true}`;
}

class MessageRenderer {
  readonly #ids = new OutgoingCallIds(ANTHROPIC_CALL_ID);
  readonly #opaqueProvider: string;

  constructor(opaqueProvider: string) {
    this.#opaqueProvider = opaqueProvider;
  }

  /** The message without the last brace of its last block, where a mark may go in, and what closes it. */
  render(message: Message): { readonly open: string; readonly close: string; readonly isMarkable: boolean } {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = this.#blocks(message);
    return {
      open: `{"role":"${role}","content":[${blocks.join(',').slice(0, -1)}`,
      close: '}]}',
      // Reasoning takes no mark.
      isMarkable: message.blocks.at(-1)?.type !== 'opaque' || message.blocks.every(isSilent),
    };
  }

  #blocks(message: Message): readonly string[] {
    switch (message.role) {
      case 'user':
        return texts(
          message.blocks.map(({ text }) => text),
          EMPTY_MESSAGE,
        );
      case 'assistant':
        return this.#assistantBlocks(message);
      case 'tool':
        return message.blocks.length === 0
          ? [textBlock(EMPTY_RESULT)]
          : message.blocks.map((block) => this.#result(block));
    }
  }

  /** In the order of the model. A turn of nothing but blank text has a placeholder. */
  #assistantBlocks(message: AssistantMessage): readonly string[] {
    const opaque = message.blocks.filter((block) => block.type === 'opaque');
    const keepsOpaque = mayReplay(opaque, this.#opaqueProvider);
    const rendered = message.blocks.flatMap((block) => {
      if (block.type === 'call') return [this.#call(block)];
      if (block.type === 'opaque') return keepsOpaque ? [block.raw] : [];
      return block.text.trim() === '' ? [] : [textBlock(block.text)];
    });
    return message.blocks.every(isSilent) ? [...rendered, textBlock(EMPTY_TURN)] : rendered;
  }

  #call(block: CallBlock): string {
    // The protocol wants an object; a call whose text is none was never executed, and its result says so.
    const input = isJsonObject(block.arguments) ? wellFormedJson(block.arguments) : '{}';
    const id = quote(this.#ids.forCall(block.id));
    return `{"type":"tool_use","id":${id},"name":${quote(sendableName(block.name))},"input":${input}}`;
  }

  #result(block: ToolMessage['blocks'][number]): string {
    const id = quote(this.#ids.forResult(block.callId) ?? block.callId);
    const content = quote(sendableContent(block.content, EMPTY_RESULT));
    const error = block.isError ? ',"is_error":true' : '';
    return `{"type":"tool_result","tool_use_id":${id},"content":${content}${error}}`;
  }
}

/** Reasoning alone is no content. */
function isSilent(block: Message['blocks'][number]): boolean {
  return block.type === 'opaque' || (block.type === 'text' && block.text.trim() === '');
}

function texts(all: readonly string[], placeholder: string): readonly string[] {
  const told = all.filter((text) => text.trim() !== '');
  return (told.length === 0 ? [placeholder] : told).map(textBlock);
}

/**
 * The one rendering of a request as an Anthropic Messages body, by splicing stored text: model, settings, tools, system text,
 * messages, and the volatile keys last (spec 04 §2, design notes §4).
 *
 * The rendering of a history goes on from the stem of the rendering of each of its beginnings that holds everything inherited.
 * It is total, but only a request without a defect (`findRequestDefect`) renders to something a provider accepts.
 */
export function renderAnthropic(request: ModelRequest, options: AnthropicRenderOptions): RenderedRequest {
  const renderer = new MessageRenderer(anthropicOpaqueProvider(request.model));
  const marks = markedMessages(request.messages, request.inheritedLengths);
  const head = renderHead(request);
  const lastUser = request.messages.findLastIndex(({ role }) => role === 'user');
  const parts = [head];
  let prefix = head;
  let stem = head;
  for (const [index, message] of request.messages.entries()) {
    if (index === lastUser) prefix = parts.join('');
    const { open, close, isMarkable } = renderer.render(message);
    const text = `${index === 0 ? '' : ','}${open}`;
    if (index === request.messages.length - 1) stem = parts.join('') + text;
    parts.push(text, isMarkable && marks.has(index) ? CACHE_MARK : '', close);
  }
  return { body: parts.join('') + renderTail(request, options), stem, prefix };
}
