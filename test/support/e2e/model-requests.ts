import type { RecordedRequest, ScriptedModels } from './scripted-models.js';

/** A recorded request of a run: what was sent, and by whom. */
export interface ModelRequest {
  readonly agentId: string;
  readonly epoch: number;
  readonly status: number | null;
  readonly body: string;
}

/** The requests of some agents, in the order in which the model server got them. */
export async function requestsOf(
  models: ScriptedModels,
  ...agentIds: readonly string[]
): Promise<readonly ModelRequest[]> {
  return (await models.requests()).map(fromRecorded).filter(({ agentId }) => agentIds.includes(agentId));
}

const fromRecorded = ({ headers, status, body }: RecordedRequest): ModelRequest => ({
  agentId: headers['x-offshoot-agent'] ?? '',
  epoch: Number(headers['x-offshoot-epoch']),
  status,
  body,
});

/** Everything before the last user message: in the first request of a fork, what it shares with its parent. */
export function beforeLastUser(body: string): string {
  // Inside a string the quotes would be escaped, so this is the message itself.
  return body.slice(0, body.lastIndexOf('{"role":"user"'));
}

/** The request without the keys behind its last message: all that was asked. */
export function askedIn(body: string): string {
  const tail = /\],(?:"max_tokens":\d+,)?"stream":true[^\]]*$/.exec(body);
  if (tail === null) throw new Error('The request has no volatile keys behind its messages.');
  return body.slice(0, tail.index);
}

/** What a longer history of the same agent goes on from: all that was asked, but for the mark of where it ended. */
export function stemOf(body: string): string {
  return askedIn(body).replace(/,"cache_control":\{"type":"ephemeral"\}\}\]\}$/, '');
}
