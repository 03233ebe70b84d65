import { asList, isJson, number, text } from './read.js';

/** One worker process (spec 05 §9). */
export interface Worker {
  readonly id: string;
  readonly pid: number | null;
  readonly host: string | null;
  readonly startedAt: string;
  /** How many agents it runs. */
  readonly agents: number;
}

/** Reads an item of `GET /v1/workers`; null without an id. `agents` may be a count or the list itself. */
export function parseWorker(value: unknown): Worker | null {
  if (!isJson(value)) return null;
  const id = text(value, 'id');
  if (id === null) return null;
  return {
    id,
    pid: number(value, 'pid'),
    host: text(value, 'host'),
    startedAt: text(value, 'startedAt') ?? '',
    agents: number(value, 'agents') ?? asList(value['agents']).length,
  };
}
