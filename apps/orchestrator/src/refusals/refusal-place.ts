import { z } from 'zod';
import { isAgentId } from '#transcripts';
import { EdgeCode, ProblemError } from '../http/problem.js';
import type { RefusalPlace } from '../projections/refusals/refusals.js';

const Place = z.tuple([
  z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/),
  z.string().refine(isAgentId),
  z.int32().min(1),
  z.int32().min(0),
]);

/** A place in the list of refusals as the opaque text of `next`. */
export function formatRefusalPlace({ at, agentId, version, ordinal }: RefusalPlace): string {
  return Buffer.from(JSON.stringify([at, agentId, version, ordinal])).toString('base64url');
}

/** Reads it back; a text that is none of ours is a 422. */
export function parseRefusalPlace(text: string | undefined): RefusalPlace | null {
  if (text === undefined) return null;
  const parsed = Place.safeParse(jsonOf(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success)
    throw new ProblemError(EdgeCode.CURSOR_INVALID, 'after: must be the "next" of an earlier page.');
  const [at, agentId, version, ordinal] = parsed.data;
  return { at, agentId, version, ordinal };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
