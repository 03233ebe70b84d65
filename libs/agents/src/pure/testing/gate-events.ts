import { resolveSurface, type ToolIdentity, wireName } from '#policy';
import { type AgentEvent, decodeEvent, encodeEvent, type EventData, type ReadEvent } from '#transcripts';

type Recorded = Exclude<ReadEvent, { type: 'damaged' }>;

/** The event as a reader of the log gets it. */
export function recorded(event: AgentEvent): Recorded {
  const read = decodeEvent({
    ...encodeEvent(event, 'event-id'),
    actor: 'system:spec',
    tenant: 'default',
    stream: 'agent',
    version: 1,
    recordedAt: '2026-11-30T12:00:00.000000Z',
    previousHash: null,
    hash: '',
    place: { generation: 1, xid: 1n, position: 1n },
  });
  if (read.type === 'damaged') throw new Error('What was just made is whole.');
  return read;
}

const key = (index: number, turn: number) => ({ turn, index, providerId: `call-${index}` });

/** A run over a surface of these tools. */
export function runStarted(tools: readonly ToolIdentity[], epoch = 1): Recorded {
  const { declared } = resolveSurface(tools);
  const mcp = [...declared].flatMap(([name, tool]) => ('server' in tool ? [{ name, ...tool }] : []));
  const names = [...declared.keys()];
  const surface = {
    digest: '',
    declared: names,
    fingerprints: [],
    mcp,
    executable: names,
    withheld: [],
    drift: null,
  };
  return recorded({
    type: 'RunStarted',
    data: { runId: 'run', epoch, activation: 1, workerId: 'w', reason: 'launch', model: 'm', surface },
  });
}

export const allowed = (tool: ToolIdentity, index = 0, turn = 1): Recorded =>
  recorded({
    type: 'ToolCallAllowed',
    data: { call: key(index, turn), name: wireName(tool), tool, rule: 'unrestricted' },
  });

export const refusedCall = (tool: ToolIdentity, reason: string, index = 0, turn = 1): Recorded =>
  recorded({
    type: 'ToolCallRefused',
    data: { call: key(index, turn), name: wireName(tool), tool, reason, response: '{}' },
  });

export const started = (tool: ToolIdentity, index = 0, turn = 1): Recorded =>
  recorded({
    type: 'ToolCallStarted',
    data: { call: key(index, turn), name: wireName(tool), epoch: 1, tool, repeatable: true, rule: 'yolo' },
  });

export const finished = (
  tool: ToolIdentity,
  outcome: EventData<'ToolCallFinished'>['outcome'],
  index = 0,
  turn = 1,
): Recorded =>
  recorded({
    type: 'ToolCallFinished',
    data: { call: key(index, turn), name: wireName(tool), epoch: 1, outcome, content: '', durationMs: 1 },
  });
