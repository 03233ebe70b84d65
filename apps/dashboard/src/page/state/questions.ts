import { isJson, strings, text, type Json } from './read.js';

/** One question that waits for an answer (spec 05 §1). */
export interface Question {
  readonly id: string;
  readonly agentId: string;
  /** `user`, or `parent` where an agent was asked; a person may answer either. */
  readonly to: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly askedAt: string;
  readonly expiresAt: string | null;
}

/** Reads an item of `GET /v1/questions`; null without its ids. */
export function parseQuestion(value: unknown): Question | null {
  if (!isJson(value)) return null;
  const id = text(value, 'id');
  const agentId = text(value, 'agentId');
  if (id === null || agentId === null) return null;
  return {
    id,
    agentId,
    to: text(value, 'to') ?? 'user',
    text: text(value, 'text') ?? '',
    options: optionsOf(value),
    askedAt: text(value, 'askedAt') ?? '',
    expiresAt: text(value, 'expiresAt'),
  };
}

const optionsOf = (source: Json): readonly string[] =>
  Array.isArray(source['options']) ? strings(source['options']) : [];
