import type { OffshootConfig, OperatorConfig, ProviderConfig } from '#platform';
import type { ModelProviders } from './model-catalog.js';

const openAiUrl = 'https://api.openai.com/v1';
const anthropicUrl = 'https://api.anthropic.com';

/** Null for a provider that is not configured; a base URL alone will do, since many endpoints take any key. */
function endpointOf({ baseUrl, apiKey }: ProviderConfig, usualUrl: string) {
  if (baseUrl === undefined && apiKey === undefined) return null;
  return { baseUrl: baseUrl ?? usualUrl, apiKey: apiKey ?? 'none' };
}

/** The providers that this worker is configured for. */
export function providersOf(config: OffshootConfig, { models }: OperatorConfig): ModelProviders {
  const { scriptedBaseUrl } = config;
  const openai = endpointOf(config.openai, openAiUrl);
  const anthropic = endpointOf(config.anthropic, anthropicUrl);
  const outputCapOf = (name: string) => models.get(`anthropic:${name}`)?.maxOutputTokens;
  return {
    ...(openai === null ? {} : { openai }),
    ...(anthropic === null ? {} : { anthropic: { ...anthropic, outputCapOf } }),
    ...(scriptedBaseUrl === undefined ? {} : { scripted: { baseUrl: scriptedBaseUrl } }),
  };
}
