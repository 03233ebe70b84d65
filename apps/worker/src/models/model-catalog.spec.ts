import { describe, expect, it } from '@jest/globals';

import { openModel } from './model-catalog.js';
import { price } from './price.js';

const providers = {
  openai: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-secret' },
  scripted: { baseUrl: 'http://127.0.0.1:1/v1' },
};

describe('openModel', () => {
  it('opens a provider by its prefix; a model name may hold colons and slashes', () => {
    expect(openModel('openai:qwen/qwen3:8b', providers)).toMatchObject({
      ok: true,
      modelName: 'qwen/qwen3:8b',
      isScripted: false,
    });
  });

  it('a scripted model keeps its label on the wire', () => {
    expect(openModel('scripted:demo', providers)).toMatchObject({
      ok: true,
      modelName: 'scripted:demo',
      isScripted: true,
    });
  });

  it('an Anthropic endpoint may be named with or without its version', () => {
    const anthropic = { baseUrl: 'http://127.0.0.1:1/v1/', apiKey: 'k', outputCapOf: () => undefined };
    const opened = openModel('anthropic:claude', { anthropic });
    expect(opened).toMatchObject({ ok: true, modelName: 'claude', isScripted: false });
  });

  it.each([
    ['openai:gpt', {}, 'MODEL_PROVIDER_NOT_CONFIGURED'],
    ['scripted:demo', {}, 'MODEL_PROVIDER_NOT_CONFIGURED'],
    ['anthropic:claude', providers, 'MODEL_PROVIDER_NOT_CONFIGURED'],
    ['constructor:x', providers, 'MODEL_SPEC_INVALID'],
    ['openai:', providers, 'MODEL_SPEC_INVALID'],
    ['gpt', providers, 'MODEL_SPEC_INVALID'],
    ['openai:a b', providers, 'MODEL_SPEC_INVALID'],
  ])('refuses %s with %j by a code', (spec, configured, code) => {
    expect(openModel(spec, configured)).toMatchObject({ ok: false, code });
  });

  it('two keys wait apart, and neither shows in the name of its lane', () => {
    const keyOf = (apiKey: string): string => {
      const opened = openModel('openai:m', { openai: { ...providers.openai, apiKey } });
      return opened.ok ? opened.model.limiterKey : '';
    };
    expect(keyOf('sk-secret')).toBe(keyOf('sk-secret'));
    expect(keyOf('sk-secret')).not.toBe(keyOf('sk-other'));
    expect(keyOf('sk-secret')).not.toContain('secret');
  });
});

describe('price', () => {
  const usage = { inputTokens: 10, cachedTokens: 1_000, cacheWriteTokens: 100, outputTokens: 20 };
  const table = new Map([['openai:m', { input: 2, cached: 0.5, cacheWrite: 2.5, output: 8 }]]);

  it('[P10] prices cache reads and writes apart, in millionths of a dollar', () => {
    expect(price(usage, 'openai:m', table)).toBe(20 + 500 + 250 + 160);
  });

  it('[T09] a model without a price costs an unknown amount, not nothing', () => {
    expect(price(usage, 'constructor', table)).toBeNull();
  });
});
