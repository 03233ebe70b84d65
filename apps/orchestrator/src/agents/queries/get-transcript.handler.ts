import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { isSound, type SoundEvent } from '#transcripts';
import type { Principal } from '../../auth/principal.js';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import { LogCursors } from '../../log/log-cursors.js';
import { LogTools } from '../../log/log-tools.js';
import { AgentAccess } from '../agent-access.js';
import {
  GetTranscriptQuery,
  type TranscriptPage,
  type TranscriptRecord,
  type TranscriptRequest,
} from './get-transcript.query.js';

/** A page of one transcript, as recorded. Events of unknown types are shown like any other; it ends where one is not what was recorded. */
@QueryHandler(GetTranscriptQuery)
export class GetTranscriptHandler implements IQueryHandler<GetTranscriptQuery> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
    private readonly cursors: LogCursors,
  ) {}

  async execute({ agentId, request, principal }: GetTranscriptQuery): Promise<TranscriptPage> {
    await this.access.exists(agentId, principal);
    const { store } = this.tools;
    const isOne = request.version !== undefined;
    const page = await store.readStream(
      agentId,
      await this.startOf(agentId, request, principal),
      isOne ? 1 : request.limit,
    );
    const damaged = page.events.find((event) => !isSound(event));
    const shown = page.events
      .filter(isSound)
      .filter(({ version }) => version < (damaged?.version ?? Infinity));
    const records = await Promise.all(shown.map((event) => this.recordOf(event)));
    if (damaged !== undefined && !isSound(damaged))
      return { records, next: null, damage: { version: damaged.version, fault: damaged.fault } };
    return { records, next: page.next === null || isOne ? null : (records.at(-1)?.cursor ?? null) };
  }

  private async startOf(
    agentId: string,
    { after, version }: TranscriptRequest,
    { tenant }: Principal,
  ): Promise<number> {
    if (version !== undefined) return version - 1;
    if (after === undefined) return 0;
    const cursor = await this.cursors.versionAt(after, agentId, tenant);
    if (cursor.ok) return cursor.version;
    throw new ProblemError(
      EdgeCode.CURSOR_INVALID,
      `after: the cursor is ${cursor.reason}; leave it out to read from the beginning.`,
    );
  }

  private async recordOf(event: SoundEvent): Promise<TranscriptRecord> {
    const { version, type, recordedAt, data, place } = event;
    return {
      cursor: await this.cursors.format(place),
      version,
      type,
      at: recordedAt,
      data,
    };
  }
}
