import type { OffshootConfig } from '#platform';
import type { ModelProviders } from './model-catalog.js';

const openAiUrl = 'https://api.openai.com/v1';

/** The providers that this worker is configured for; a base URL alone will do, since many endpoints take any key. */
export function providersOf({ openai, scriptedBaseUrl }: OffshootConfig): ModelProviders {
  const isConfigured = openai.apiKey !== undefined || openai.baseUrl !== undefined;
  return {
    ...(isConfigured
      ? { openai: { baseUrl: openai.baseUrl ?? openAiUrl, apiKey: openai.apiKey ?? 'none' } }
      : {}),
    ...(scriptedBaseUrl === undefined ? {} : { scripted: { baseUrl: scriptedBaseUrl } }),
  };
}
