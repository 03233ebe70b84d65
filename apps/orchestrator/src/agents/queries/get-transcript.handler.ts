import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { RecordedEvent } from '#transcripts';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import { GetTranscriptQuery, type TranscriptPage, type TranscriptRecord } from './get-transcript.query.js';
import { transcriptCursor } from './transcript-cursor.js';

/** A page of one transcript, as recorded. Events of unknown types are shown like any other. */
@QueryHandler(GetTranscriptQuery)
export class GetTranscriptHandler implements IQueryHandler<GetTranscriptQuery> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
  ) {}

  async execute({ agentId, request, principal }: GetTranscriptQuery): Promise<TranscriptPage> {
    await this.access.exists(agentId, principal);
    const page = await this.tools.store.readStream(agentId, request.after, request.limit);
    return {
      records: page.events.map(recordOf),
      next: page.next === null ? null : transcriptCursor(page.next),
    };
  }
}

function recordOf(event: RecordedEvent): TranscriptRecord {
  const { version, type, recordedAt, data } = event;
  return { cursor: transcriptCursor(version), version, type, at: recordedAt, data: JSON.parse(data) };
}
