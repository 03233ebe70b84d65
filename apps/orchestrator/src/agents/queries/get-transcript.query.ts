import { Query } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { parseRequest } from '../../http/parse-request.js';
import { versionOfCursor } from './transcript-cursor.js';

const pageLimit = 500;

const TranscriptRequest = z.strictObject({
  after: z
    .string()
    .transform((cursor, context) => {
      const version = versionOfCursor(cursor);
      if (version === null)
        context.addIssue({ code: 'custom', message: 'must be a cursor of this transcript' });
      return version ?? 0;
    })
    .exactOptional(),
  limit: z.coerce.number().int().min(1).default(200),
});
export interface TranscriptRequest {
  readonly after: number;
  readonly limit: number;
}

export function parseTranscriptRequest(query: unknown): TranscriptRequest {
  const { after = 0, limit } = parseRequest(TranscriptRequest, { ...(query as object) });
  return { after, limit: Math.min(limit, pageLimit) };
}

export interface TranscriptRecord {
  readonly cursor: string;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
}

export interface TranscriptPage {
  readonly records: readonly TranscriptRecord[];
  readonly next: string | null;
}

export class GetTranscriptQuery extends Query<TranscriptPage> {
  constructor(
    readonly agentId: string,
    readonly request: TranscriptRequest,
    readonly principal: Principal,
  ) {
    super();
  }
}
