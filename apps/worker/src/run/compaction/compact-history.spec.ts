import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '#agents';
import type { EventData, Message } from '#transcripts';
import { event, says, specAgentId } from '#transcripts/testing';
import { InProcessProviderLimiter } from '../../models/in-process-provider-limiter.js';
import { ModelFault } from '../../models/model-fault.js';
import { Model, type ModelReply, type ModelRequest } from '../../models/model.js';
import { aReply } from '../../models/testing/scripted-attempts.js';
import { takeTurn } from '../take-turn.js';
import { openTestRun } from '../testing/open-test-run.js';

type Answer = (request: ModelRequest) => ModelReply | ModelFault;

/** A model that answers by the request, and what it was asked. */
class AnsweringModel extends Model {
  readonly limiterKey = 'k';
  readonly asked: ModelRequest[] = [];

  constructor(private readonly answer: Answer) {
    super();
  }

  override stream(request: ModelRequest): Promise<ModelReply> {
    this.asked.push(request);
    const answer = this.answer(request);
    return answer instanceof ModelFault ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

const isSumming = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages.at(-1)).includes('Sum up this conversation.');
const reply = (text: string): ModelReply => ({ ...aReply, blocks: [{ type: 'text', text }] });
const overflow = new ModelFault('context_overflow', 'too long');
const textOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

/** A fork with a long history of its own that is about to ask for a turn of a model with a window of 10,000 tokens. */
async function aRun(answer: Answer, contextWindow: number | null = 10_000, words = 60_000) {
  const model = new AnsweringModel(answer);
  const opened = await openTestRun({
    tools: [],
    turn: says('x'.repeat(words)),
    since: [
      event.messageQueued({ messageId: 'm', text: 'And now?' }),
      event.messageDelivered({ messageIds: ['m'] }),
    ],
    services: { modelLimits: () => (contextWindow === null ? {} : { contextWindow }) },
  });
  const run = { ...opened.run, model, modelName: 'm' };
  const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
  const take = () => takeTurn(run, limiter);
  const compactions = async () => {
    const { events } = await opened.store.readStream(specAgentId, 0);
    return events
      .filter(({ type }) => type === 'HistoryCompacted')
      .map(({ data }) => JSON.parse(data ?? '') as EventData<'HistoryCompacted'>);
  };
  return { run, model, take, compactions, store: opened.store };
}

describe('[L15] a history that is too large for the model', () => {
  it('is compacted once before the request, and directive and question stay', async () => {
    const { model, take, compactions, run } = await aRun((request) =>
      reply(isSumming(request) ? 'Much was said.' : 'done'),
    );
    expect(await take()).toMatchObject({ kind: 'recorded' });
    expect(model.asked.map(isSumming)).toEqual([true, false]);
    const sent = textOf(model.asked[1] as ModelRequest);
    expect(sent).toContain('Much was said.');
    expect(sent).toContain(JSON.stringify(run.log.meta.launchPrompt?.text ?? '').slice(1, -1));
    expect(sent).toContain('And now?');
    expect(sent).not.toContain('xxxx');
    expect(await compactions()).toMatchObject([{ usage: { inputTokens: 1, outputTokens: 1 } }]);
    expect(run.log.meta).toMatchObject({ compactions: 0, usage: { inputTokens: 2 } });
  });

  it('is read back as it was compacted, without what was replaced', async () => {
    const { take, store } = await aRun((request) => reply(isSumming(request) ? 'Much was said.' : 'done'));
    await take();
    const { history } = await loadAgent(store, specAgentId);
    const messages: readonly Message[] = history.build().messages;
    expect(JSON.stringify(messages)).not.toContain('xxxx');
    expect(messages.at(-1)).toEqual(says('done'));
  });

  it('of which no window is known is compacted when the provider refuses it', async () => {
    let refusals = 0;
    const { model, take } = await aRun((request) => {
      if (isSumming(request)) return reply('Much was said.');
      return refusals++ === 0 ? overflow : reply('done');
    }, null);
    expect(await take()).toMatchObject({ kind: 'recorded' });
    expect(model.asked.map(isSumming)).toEqual([false, true, false]);
  });

  it('and still is after two compactions ends the agent, without a third', async () => {
    const { model, take, compactions } = await aRun((request) =>
      isSumming(request) ? reply('y'.repeat(50_000)) : overflow,
    );
    expect(await take()).toMatchObject({ kind: 'failed', reason: 'context_overflow' });
    expect(await compactions()).toHaveLength(2);
    expect(model.asked.map(isSumming)).toEqual([true, true]);
  });

  it.each<[string, ModelReply | ModelFault]>([
    ['is refused', overflow],
    ['gets no text', { ...aReply, blocks: [] }],
    ['is cut at its cap', { ...reply('half'), truncated: true }],
  ])('and whose summary %s twice ends the agent', async (_name, answer) => {
    const { model, take, compactions } = await aRun(() => answer);
    expect(await take()).toMatchObject({ kind: 'failed', reason: 'context_overflow' });
    expect(model.asked.map(isSumming)).toEqual([true, true]);
    expect(await compactions()).toEqual([]);
  });

  it('and cannot be summed up for now waits, and is not the end', async () => {
    const { take } = await aRun(() => new ModelFault('quota', 'pay'));
    expect(await take()).toMatchObject({ kind: 'blocked', reason: 'provider_quota' });
  });

  it('a summary request fits in the window, whatever the size of the history', async () => {
    const { model, take } = await aRun(
      (request) => reply(isSumming(request) ? 's' : 'done'),
      10_000,
      900_000,
    );
    await take();
    expect(textOf(model.asked[0] as ModelRequest).length).toBeLessThan(40_000);
  });

  it('and one that fits is left alone', async () => {
    const { model, take } = await aRun(() => reply('done'), 10_000, 20_000);
    expect(await take()).toMatchObject({ kind: 'recorded' });
    expect(model.asked.map(isSumming)).toEqual([false]);
  });
});
