import type { AgentMeta } from '../agent-meta/agent-meta.js';
import type { EventData } from '../events/agent-event.js';
import { accepted, type Decision, refused, type Refused } from './decision.js';

export interface LaunchAgent {
  readonly launched: EventData<'AgentLaunched'>;
  readonly bootstrap: EventData<'BootstrapRecorded'>;
  readonly prompt: EventData<'LaunchPromptRecorded'>;
}

/** Launch facts, bootstrap and launch prompt are one append that expects no stream (spec 03 §1). */
export function launchAgent(command: LaunchAgent, meta: AgentMeta): Decision {
  if (meta.status !== 'absent') return refused('AGENT_EXISTS', `Agent ${meta.agentId} exists already.`);
  return accepted(
    { type: 'AgentLaunched', data: command.launched },
    { type: 'BootstrapRecorded', data: command.bootstrap },
    { type: 'LaunchPromptRecorded', data: command.prompt },
  );
}

/**
 * Whether this agent may launch another one. The guard looks at the record of the agent itself (POL-8): a fork
 * never may, only sessions start forks, and depth is bounded.
 */
export function launchRefusal(
  parent: AgentMeta,
  kind: 'fork' | 'subagent',
  maxDepth: number,
): Refused | null {
  if (parent.status === 'absent')
    return refused('AGENT_NOT_FOUND', `Agent ${parent.agentId} does not exist.`);
  if (parent.kind === 'fork') return refused('SPAWN_FORBIDDEN', 'A fork cannot launch agents.');
  if (parent.kind === 'subagent' && kind === 'fork')
    return refused('SPAWN_FORBIDDEN', 'Only a session can launch forks.');
  if (parent.closed) return refused('SESSION_CLOSED', `Session ${parent.agentId} is closed.`);
  const depth = (parent.launch?.depth ?? 0) + 1;
  return depth > maxDepth
    ? refused('DEPTH_EXCEEDED', `An agent at depth ${depth} would be deeper than ${maxDepth}.`)
    : null;
}
