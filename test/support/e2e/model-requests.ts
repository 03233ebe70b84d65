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

/** Everything before the last user message: what a fork shares with its parent. */
export function beforeLastUser(body: string): string {
  // Inside a string the quotes would be escaped, so this is the message itself.
  return body.slice(0, body.lastIndexOf('{"role":"user"'));
}

/** The request without the keys behind its last message: what a longer history goes on from. */
export function stemOf(body: string): string {
  return body.slice(0, body.lastIndexOf('],"stream":true'));
}
