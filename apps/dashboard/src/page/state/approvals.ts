import { isJson, text, type Json } from './read.js';
import { toolName } from './tool-name.js';

/** One approval that waits for an answer (spec 05 §9). */
export interface Approval {
  readonly id: string;
  readonly agentId: string;
  readonly tool: string;
  /** As JSON text. */
  readonly arguments: string;
  readonly requestedAt: string;
  readonly expiresAt: string | null;
}

/** Reads an item of `GET /v1/approvals`; null without its ids. */
export function parseApproval(value: unknown): Approval | null {
  if (!isJson(value)) return null;
  const id = text(value, 'id');
  const agentId = text(value, 'agentId');
  if (id === null || agentId === null) return null;
  const given = value['arguments'];
  return {
    id,
    agentId,
    tool: toolName(value['tool']) ?? 'a tool',
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? null, null, 2),
    requestedAt: instant(value, 'requestedAt') ?? '',
    expiresAt: instant(value, 'expiresAt'),
  };
}

// A database writes `2026-05-04 09:00:00+00`, which not every browser reads.
const instant = (source: Json, name: string): string | null =>
  text(source, name)?.replace(' ', 'T').replace(/\+00$/, 'Z') ?? null;

/** The inbox: null while the server has no such endpoint, so that nothing of it is shown. */
export type Inbox = readonly Approval[] | null;
