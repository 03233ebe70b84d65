import { z } from 'zod';
import { isAgentId } from '#transcripts';
import { parseRequest } from '../../http/parse-request.js';

const pageLimit = 200;

/** `GET /v1/agents?session=&status=&kind=&after=&limit=`. A larger limit is clamped, not refused. */
export const ListAgentsRequest = z.strictObject({
  session: z.string().refine(isAgentId, 'must be a session id').exactOptional(),
  status: z
    .enum([
      'queued',
      'running',
      'waiting',
      'interrupted',
      'blocked',
      'completed',
      'failed',
      'cancelled',
      'idle',
      'closed',
    ])
    .exactOptional(),
  kind: z.enum(['session', 'fork', 'subagent']).exactOptional(),
  after: z.string().refine(isAgentId, 'must be the "next" of an earlier page').exactOptional(),
  limit: z.coerce.number().int().min(1).default(100),
});
export type ListAgentsRequest = z.infer<typeof ListAgentsRequest>;

export function parseListRequest(query: unknown): ListAgentsRequest {
  const parsed = parseRequest(ListAgentsRequest, { ...(query as object) });
  return { ...parsed, limit: Math.min(parsed.limit, pageLimit) };
}
