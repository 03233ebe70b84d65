import { createHash } from 'node:crypto';

import { AnthropicModel, type AnthropicModelOptions } from './anthropic/anthropic-model.js';
import type { Model } from './model.js';
import { OpenAiModel, type OpenAiModelOptions } from './openai-model.js';

/** One OpenAI-compatible endpoint, as configured. */
export interface OpenAiProvider extends Omit<OpenAiModelOptions, 'limiterKey'> {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Anthropic's endpoint or one that speaks as it does, as configured. */
export interface AnthropicProvider extends Omit<AnthropicModelOptions, 'limiterKey' | 'maxOutputTokens'> {
  /** The output cap of a model by its name, where one is configured. */
  readonly outputCapOf: (name: string) => number | undefined;
}

/** What is configured; an absent provider is not. */
export interface ModelProviders {
  readonly openai?: OpenAiProvider;
  readonly anthropic?: AnthropicProvider;
  /** The scripted server of this project: what it says it listens on, `http://host:port`, with or without `/v1`. */
  readonly scripted?: { readonly baseUrl: string };
}

export type OpenModelRefusalCode = 'MODEL_SPEC_INVALID' | 'MODEL_PROVIDER_NOT_CONFIGURED';

export type OpenModelResult =
  | {
      readonly ok: true;
      readonly model: Model;
      /** What `ModelRequest.model` must be for this model. */
      readonly modelName: string;
      /** True for a model that is played from a script: it must be labelled so wherever it shows (spec 04 §2). */
      readonly isScripted: boolean;
    }
  | { readonly ok: false; readonly code: OpenModelRefusalCode; readonly message: string };

function refused(code: OpenModelRefusalCode, message: string): OpenModelResult {
  return { ok: false, code, message };
}

/** Names an endpoint and its key without giving the key away. */
function limiterKey(provider: string, baseUrl: string, apiKey: string): string {
  const digest = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
  return `${provider}:${digest.slice(0, 16)}`;
}

function openOpenAi(name: string, provider: OpenAiProvider | undefined): OpenModelResult {
  if (provider === undefined) {
    return refused(
      'MODEL_PROVIDER_NOT_CONFIGURED',
      `openai:${name} needs OPENAI_API_KEY or OPENAI_BASE_URL where the workers start; then POST /v1/agents/:id/revive lets the agent go on.`,
    );
  }
  const key = limiterKey('openai', provider.baseUrl, provider.apiKey);
  return {
    ok: true,
    model: new OpenAiModel({ ...provider, limiterKey: key }),
    modelName: name,
    isScripted: false,
  };
}

/** What every model of the last years can give. */
const CAUTIOUS_OUTPUT_CAP = 8_192;

function openAnthropic(name: string, provider: AnthropicProvider | undefined): OpenModelResult {
  if (provider === undefined) {
    return refused(
      'MODEL_PROVIDER_NOT_CONFIGURED',
      `anthropic:${name} needs ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL where the workers start; then POST /v1/agents/:id/revive lets the agent go on.`,
    );
  }
  const { outputCapOf, ...options } = provider;
  const model = new AnthropicModel({
    ...options,
    baseUrl: provider.baseUrl.replace(/(?:\/v1)?\/*$/, ''),
    maxOutputTokens: outputCapOf(name) ?? CAUTIOUS_OUTPUT_CAP,
    limiterKey: limiterKey('anthropic', provider.baseUrl, provider.apiKey),
  });
  return { ok: true, model, modelName: name, isScripted: false };
}

function openScripted(name: string, provider: ModelProviders['scripted']): OpenModelResult {
  if (provider === undefined) {
    return refused(
      'MODEL_PROVIDER_NOT_CONFIGURED',
      `scripted:${name} needs the base URL of a scripted model server.`,
    );
  }
  const options = { baseUrl: `${provider.baseUrl.replace(/(?:\/v1)?\/*$/, '')}/v1`, apiKey: 'scripted' };
  const key = limiterKey('scripted', options.baseUrl, options.apiKey);
  const model = new OpenAiModel({ ...options, limiterKey: key });
  return { ok: true, model, modelName: `scripted:${name}`, isScripted: true };
}

/** Opens the model that a spec names: `openai:<model>`, `anthropic:<model>` or `scripted:<script>`. Sends nothing. */
export function openModel(spec: string, providers: ModelProviders): OpenModelResult {
  const [, provider, name] = /^([a-z]+):(\S+)$/.exec(spec) ?? [];
  if (provider === undefined || name === undefined) {
    return refused(
      'MODEL_SPEC_INVALID',
      `"${spec}" is no model; expected openai:<model>, anthropic:<model> or scripted:<script>.`,
    );
  }
  switch (provider) {
    case 'openai':
      return openOpenAi(name, providers.openai);
    case 'scripted':
      return openScripted(name, providers.scripted);
    case 'anthropic':
      return openAnthropic(name, providers.anthropic);
    default:
      return refused(
        'MODEL_SPEC_INVALID',
        `"${spec}" names an unknown provider; expected openai, anthropic or scripted.`,
      );
  }
}
