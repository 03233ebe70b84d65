import type { EventData, EventName } from '../events/agent-event.js';
import type { RecordedEvent } from '../events/recorded-event.js';
import type { AgentMeta } from './agent-meta.js';

/** One pure function per event name. */
export type Evolvers = {
  readonly [N in EventName]?: (meta: AgentMeta, data: EventData<N>, record: RecordedEvent) => AgentMeta;
};
