import type { AgentMeta } from '../agent-meta/agent-meta.js';
import type { AgentEvent, EventData } from '../events/agent-event.js';
import type { Message } from '../events/message.js';
import type { Runtime } from '../events/session-events.js';
import { accepted, type Decision, refused, type Refused } from './decision.js';

export interface OpenSession {
  readonly opened: EventData<'SessionOpened'>;
  /** Imported history, already split into events that stay under the size limit. */
  readonly history: readonly EventData<'MessageAppended'>[];
}

export function openSession(command: OpenSession, meta: AgentMeta): Decision {
  if (meta.status !== 'absent') return refused('AGENT_EXISTS', `Session ${meta.agentId} exists already.`);
  const history = command.history.map((data): AgentEvent => ({ type: 'MessageAppended', data }));
  return accepted({ type: 'SessionOpened', data: command.opened }, ...history);
}

export interface AppendMessages {
  readonly messageId: string;
  readonly source: 'user' | 'history';
  readonly run: boolean;
  readonly messages: readonly Message[];
}

/** A user message that starts a turn, or history that a host keeps in step. */
export function appendMessages(command: AppendMessages, meta: AgentMeta): Decision {
  const refusal = openSessionRefusal(meta);
  if (refusal !== null) return refusal;
  return accepted({ type: 'MessageAppended', data: { ...command, messages: [...command.messages] } });
}

/** The next request and every later revival use the changed runtime. */
export function changeRuntime(changes: Partial<Runtime>, meta: AgentMeta): Decision {
  return openSessionRefusal(meta) ?? accepted({ type: 'RuntimeChanged', data: { changes } });
}

export function closeSession(meta: AgentMeta): Decision {
  return openSessionRefusal(meta) ?? accepted({ type: 'SessionClosed', data: {} });
}

/** A closed session goes on where it stood; its blocked forks can be revived again (spec 04 §1). */
export function reopenSession(meta: AgentMeta): Decision {
  const refusal = openSessionRefusal(meta);
  if (refusal === null) return refused('SESSION_OPEN', `Session ${meta.agentId} is open.`);
  return refusal.code === 'SESSION_CLOSED' ? accepted({ type: 'SessionReopened', data: {} }) : refusal;
}

function openSessionRefusal(meta: AgentMeta): Refused | null {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Session ${meta.agentId} does not exist.`);
  if (meta.kind !== 'session')
    return refused('NOT_A_SESSION', `Agent ${meta.agentId} is a ${meta.kind}, not a session.`);
  if (meta.closed)
    return refused(
      'SESSION_CLOSED',
      `Session ${meta.agentId} is closed; POST /v1/sessions/${meta.agentId}/reopen opens it again.`,
    );
  return null;
}
