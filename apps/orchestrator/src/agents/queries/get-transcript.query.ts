import { Query } from '@nestjs/cqrs';
import { z } from 'zod';
import type { EventFault } from '#transcripts';
import type { Principal } from '../../auth/principal.js';
import { parseRequest } from '../../http/parse-request.js';

const pageLimit = 500;

const TranscriptRequest = z.strictObject({
  /** The `next` or the `cursor` of an earlier answer. */
  after: z.string().exactOptional(),
  /** Just this record. */
  version: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).default(200),
});
export type TranscriptRequest = z.infer<typeof TranscriptRequest>;

export function parseTranscriptRequest(query: unknown): TranscriptRequest {
  const parsed = parseRequest(TranscriptRequest, { ...(query as object) });
  return { ...parsed, limit: Math.min(parsed.limit, pageLimit) };
}

export interface TranscriptRecord {
  readonly cursor: string;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  /** The recorded JSON text. */
  readonly data: string;
}

/** The first version behind the records that is not what was recorded. */
export interface TranscriptDamage {
  readonly version: number;
  readonly fault: EventFault;
}

export interface TranscriptPage {
  readonly records: readonly TranscriptRecord[];
  readonly next: string | null;
  /** Present where the page ends at damage: `next` is null then, although more may be stored. */
  readonly damage?: TranscriptDamage;
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
