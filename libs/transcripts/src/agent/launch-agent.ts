import { type AgentKind, type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';
import type { EventData } from '../events/agent-event.js';
import { accepted, type Decision, refused, type Refused } from './decision.js';
import { damageRefusal } from './note-damage.js';

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
  const { agentId, status } = parent;
  if (status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${agentId} does not exist.`);
  const damage = damageRefusal(parent);
  if (damage !== null) return damage;
  // A cancel reaches the children that there are; one launched behind it would be left running.
  if (hasEnded(parent)) return refused('AGENT_ENDED', `Agent ${agentId} has ended as ${status}.`);
  if (parent.closed)
    return refused(
      'SESSION_CLOSED',
      `Session ${agentId} is closed; POST /v1/sessions/${agentId}/reopen opens it again.`,
    );
  return spawnRefusal(parent.kind, kind) ?? depthRefusal((parent.launch?.depth ?? 0) + 1, maxDepth);
}

function spawnRefusal(parent: AgentKind, kind: 'fork' | 'subagent'): Refused | null {
  if (parent === 'fork') return refused('SPAWN_FORBIDDEN', 'A fork cannot launch agents.');
  const forbidden = parent === 'subagent' && kind === 'fork';
  return forbidden ? refused('SPAWN_FORBIDDEN', 'Only a session can launch forks.') : null;
}

function depthRefusal(depth: number, maxDepth: number): Refused | null {
  if (depth <= maxDepth) return null;
  return refused('DEPTH_EXCEEDED', `An agent at depth ${depth} would be deeper than ${maxDepth}.`);
}
