import { openModel, type ModelProviders } from '../models/model-catalog.js';
import type { ProviderLimiter } from '../models/provider-limiter.js';
import type { Classifier } from './classifier.js';
import { ModelClassifier } from './model-classifier.js';

export interface ClassifierSettings {
  /** A model spec such as `openai:gpt-5-mini`. */
  readonly model: string;
  readonly timeoutMs: number;
}

/** The classifier of the configuration; null, which asks a person, where none is configured or its model cannot be opened. */
export function openClassifier(
  settings: ClassifierSettings | null,
  providers: ModelProviders,
  limiter: ProviderLimiter,
  onRefused: (message: string) => void,
): Classifier | null {
  if (settings === null) return null;
  const opened = openModel(settings.model, providers);
  if (!opened.ok) {
    onRefused(opened.message);
    return null;
  }
  const { model, modelName } = opened;
  return new ModelClassifier({
    spec: settings.model,
    model,
    modelName,
    limiter,
    timeoutMs: settings.timeoutMs,
  });
}
