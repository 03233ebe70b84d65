import type { RecordedEvent } from '#transcripts';
import type { MetaCache } from '../log/meta-cache.js';

/** Whose an event is, as columns: agent, tenant, session. None of it changes in the life of an agent. */
export async function subjectOf(event: RecordedEvent, cache: MetaCache) {
  const { launch } = await cache.at(event);
  return { agent_id: event.stream, tenant: event.tenant, session_id: launch?.sessionId ?? event.stream };
}
