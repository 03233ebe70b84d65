import { describe, expect, it } from '@jest/globals';
import type { Classification, Classified, Classifier } from './classifier.js';
import { PlacedClassifier } from './placed-classifier.js';

const model = 'scripted:judge';
const subject: Classification = {
  ...{ agentId: 'a1', runId: 'r', epoch: 1, agentModel: 'scripted:other' },
  ...{ tool: { name: 'edit' }, description: '', arguments: '{}', launch: null, executable: [] },
  ...{ restriction: null, hint: null, directive: null },
};
const allowed: Classified = {
  ...{ verdict: 'allow', reason: 'fine', model },
  usage: { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
};

describe('a classifier whose model has a limit', () => {
  const asked = async (
    options: { readonly agentModel?: string; readonly inner?: Classifier; readonly full?: boolean } = {},
  ) => {
    const steps: string[] = [];
    const inner = options.inner ?? {
      classify: () => {
        steps.push('asked');
        return Promise.resolve(allowed);
      },
    };
    const places = {
      take: (of: string, { limit }: { readonly limit: number }) => {
        if (options.full === true) return Promise.reject(new Error('full'));
        steps.push(`took ${of} of ${limit}`);
        return Promise.resolve(() => Promise.resolve(void steps.push('gave back')));
      },
    };
    const { agentModel = subject.agentModel } = options;
    const answer = await new PlacedClassifier({ inner, model, limit: 3, places, holdMs: 1_000 })
      .classify({ ...subject, agentModel }, new AbortController().signal)
      .then(({ verdict }) => verdict, String);
    return { answer, steps };
  };

  it('[L09] asks once it has a place, and gives it back, whatever came of it', async () => {
    const steps = ['took scripted:judge of 3', 'asked', 'gave back'];
    expect(await asked()).toEqual({ answer: 'allow', steps });
    const inner = { classify: () => Promise.reject(new Error('broken')) };
    const broken = await asked({ inner });
    expect(broken).toEqual({ answer: 'Error: broken', steps: ['took scripted:judge of 3', 'gave back'] });
  });

  it('needs none for an agent that runs with that model: it asks one thing at a time', async () => {
    expect(await asked({ agentModel: model })).toEqual({ answer: 'allow', steps: ['asked'] });
  });

  it('asks a person where there is no place', async () => {
    expect(await asked({ full: true })).toEqual({ answer: 'ask', steps: [] });
  });
});
