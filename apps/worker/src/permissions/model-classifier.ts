import type { Model, ModelReply } from '../models/model.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import { callWithRetry } from '../models/retry.js';
import { type Classification, type Classified, type Classifier, unasked } from './classifier.js';
import { classifierMessage, classifierSystem } from './classifier-prompt.js';
import { type ClassifierVerdict, parseVerdict } from './parse-verdict.js';

export interface ModelClassifierOptions {
  /** The spec, for the record, the model that it opened, and the name that its provider knows it by. */
  readonly spec: string;
  readonly model: Model;
  readonly modelName: string;
  readonly limiter: ProviderLimiter;
  readonly timeoutMs: number;
}

/** A longer call is not shown in part: what was cut off could be what matters. */
const mostUnits = 100_000;

/** Asks a model, once, within its time. */
export class ModelClassifier implements Classifier {
  constructor(private readonly options: ModelClassifierOptions) {}

  async classify(subject: Classification, signal: AbortSignal): Promise<Classified> {
    const text = classifierMessage(subject);
    if (text.length > mostUnits) return this.asking('The call is too long to be classified.');
    try {
      return await this.ask(
        text,
        subject,
        AbortSignal.any([signal, AbortSignal.timeout(this.options.timeoutMs)]),
      );
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return this.asking(`The classifier could not be asked: ${reason}`);
    }
  }

  private async ask(
    text: string,
    { agentId, runId, epoch }: Classification,
    signal: AbortSignal,
  ): Promise<Classified> {
    const { model, modelName, limiter, spec } = this.options;
    const request = {
      model: modelName,
      system: classifierSystem,
      declarations: [],
      settings: '{}',
      messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text }] }],
      inheritedLengths: [],
    };
    const outcome = await callWithRetry(model, request, {
      signal,
      limiter,
      origin: { agentId, runId, epoch },
    });
    if (!outcome.ok) return this.asking('The classifier is throttled.');
    return { ...verdictOf(outcome.reply), model: spec, usage: outcome.reply.usage };
  }

  private asking(reason: string): Classified {
    return unasked(this.options.spec, reason);
  }
}

/** A turn that was cut off, or that is more than text, is no verdict. */
function verdictOf({ blocks, stopReason }: ModelReply): ClassifierVerdict {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isWhole = stopReason === 'end' && blocks.every((block) => block.type !== 'call');
  return parseVerdict(isWhole ? texts.join('') : '');
}
