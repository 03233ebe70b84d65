import type { AssistantMessage, CallBlock, Message, OpaqueBlock, ToolMessage } from '#transcripts';

import type { ModelRequest, ToolDeclaration } from './model.js';
import { opaqueMembers, openAiOpaqueProvider } from './openai-opaque.js';
import { OPENAI_CALL_ID, OutgoingCallIds } from './outgoing-call-ids.js';
import type { RenderedRequest } from './rendered-request.js';
import { isJsonObject, membersText } from './request-settings.js';
import {
  EMPTY_MESSAGE,
  EMPTY_RESULT,
  EMPTY_TURN,
  sendableContent,
  sendableName,
} from './sendable-content.js';
import { quote, wellFormedJson } from './well-formed.js';

export interface OpenAiRenderOptions {
  /**
   * Sends `{}` for arguments that are not a JSON object, for servers that parse what they get back (Ollama, vLLM).
   * Such a call was never executed; without this its text is replayed like any other.
   */
  readonly emptiesUnreadableArguments?: boolean;
}

// The stream keys are no part of what was asked, so they stand behind everything that is.
const TAIL = '],"stream":true,"stream_options":{"include_usage":true}}';

function renderTool(tool: ToolDeclaration): string {
  const fields = [
    `"name":${quote(tool.name)}`,
    `"description":${quote(tool.description)}`,
    `"parameters":${wellFormedJson(tool.parametersText)}`,
  ];
  return `{"type":"function","function":{${fields.join(',')}}}`;
}

function renderHead(request: ModelRequest): string {
  const members = [`"model":${quote(request.model)}`];
  const settings = membersText(request.settings);
  if (settings !== '') members.push(settings);
  if (request.declarations.length > 0)
    members.push(`"tools":[${request.declarations.map(renderTool).join(',')}]`);
  return `{${members.join(',')},"messages":[`;
}

class MessageRenderer {
  readonly #ids = new OutgoingCallIds(OPENAI_CALL_ID);
  readonly #opaqueProvider: string;
  readonly #options: OpenAiRenderOptions;

  constructor(opaqueProvider: string, options: OpenAiRenderOptions) {
    this.#opaqueProvider = opaqueProvider;
    this.#options = options;
  }

  /** One provider message for a user or assistant message, one for each result of a batch. */
  render(message: Message): readonly string[] {
    switch (message.role) {
      case 'user': {
        const text = message.blocks.map((block) => block.text).join('\n\n');
        return [`{"role":"user","content":${JSON.stringify(sendableContent(text, EMPTY_MESSAGE))}}`];
      }
      case 'assistant':
        return [this.#renderAssistant(message)];
      case 'tool':
        return message.blocks.map((block) => this.#renderResult(block));
    }
  }

  #renderAssistant(message: AssistantMessage): string {
    const texts: string[] = [];
    const calls: string[] = [];
    const opaque: OpaqueBlock[] = [];
    for (const block of message.blocks) {
      if (block.type === 'text') texts.push(block.text);
      else if (block.type === 'call') calls.push(this.#renderCall(block));
      else opaque.push(block);
    }
    const text = texts.join('');
    const isSilent = text.trim() === '' && calls.length > 0;
    const content = isSilent ? 'null' : JSON.stringify(sendableContent(text, EMPTY_TURN));
    const members = [
      '"role":"assistant"',
      `"content":${content}`,
      ...opaqueMembers(opaque, this.#opaqueProvider),
    ];
    if (calls.length > 0) members.push(`"tool_calls":[${calls.join(',')}]`);
    return `{${members.join(',')}}`;
  }

  #renderCall(block: CallBlock): string {
    const isReplaced = this.#options.emptiesUnreadableArguments === true && !isJsonObject(block.arguments);
    const call = `{"name":${quote(sendableName(block.name))},"arguments":${quote(isReplaced ? '{}' : block.arguments)}}`;
    return `{"id":${quote(this.#ids.forCall(block.id))},"type":"function","function":${call}}`;
  }

  #renderResult(block: ToolMessage['blocks'][number]): string {
    const id = this.#ids.forResult(block.callId) ?? block.callId;
    return `{"role":"tool","tool_call_id":${quote(id)},"content":${JSON.stringify(sendableContent(block.content, EMPTY_RESULT))}}`;
  }
}

/**
 * The one rendering of a request as an OpenAI chat completion body, by splicing stored text: model, settings, tools,
 * messages with the system text first, and the volatile keys last (spec 04 §2, design notes §4).
 *
 * The rendering of a history starts with the stem of the rendering of each of its beginnings. It is total, but only a
 * request without a defect (`findRequestDefect`) renders to something a provider accepts. The log is never changed by
 * what is mended here.
 */
export function renderOpenAi(request: ModelRequest, options: OpenAiRenderOptions = {}): RenderedRequest {
  const renderer = new MessageRenderer(openAiOpaqueProvider(request.model), options);
  const hasSystem = request.system !== null && request.system.trim() !== '';
  const messages = hasSystem ? [`{"role":"system","content":${quote(request.system)}}`] : [];
  let beforeLastUser = 0;
  for (const message of request.messages) {
    if (message.role === 'user') beforeLastUser = messages.length;
    messages.push(...renderer.render(message));
  }
  const head = renderHead(request);
  const stem = head + messages.join(',');
  return { body: stem + TAIL, stem, prefix: head + messages.slice(0, beforeLastUser).join(',') };
}
