import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { replayList } from '#agents';
import {
  type AgentBounds,
  type Ceiling,
  DEFAULT_WORKFLOW_MODE,
  parseAllowlist,
  parseCeiling,
  parseStoredPolicy,
  printAllowlist,
} from '#policy';
import type { AgentMeta } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import { LogTools } from '../../log/log-tools.js';
import { orRejection } from '../or-rejection.js';
import { readTranscript } from '../read-transcript.js';
import { type ReplayAnswer, ReplayPolicyQuery } from './replay-policy.query.js';

/** Runs the recorded calls of one agent past another list. Reads only. */
@QueryHandler(ReplayPolicyQuery)
export class ReplayPolicyHandler implements IQueryHandler<ReplayPolicyQuery> {
  constructor(
    private readonly access: AgentAccess,
    private readonly log: LogTools,
  ) {}

  async execute({ request, principal }: ReplayPolicyQuery): Promise<ReplayAnswer> {
    const { agentId, mode } = request;
    const forkTools = orRejection(parseAllowlist(request.fork_tools));
    const meta = await this.access.load(agentId, principal);
    const replay = orRejection(
      replayList({
        kind: meta.kind,
        forkTools,
        mode: mode ?? meta.launch?.mode ?? meta.runtime?.workflowMode ?? DEFAULT_WORKFLOW_MODE,
        ancestors: ancestorsOf(meta),
        ...(mode === undefined ? ceilingOf(meta) : {}),
      }),
    );
    for await (const event of readTranscript(this.log.store, agentId, meta.head.version)) replay.add(event);
    const { calls, refusedCalls, refused, newlyAllowedCalls, newlyAllowed } = replay.result();
    return {
      agentId,
      fork_tools: printAllowlist(forkTools),
      calls,
      refusedCalls,
      refused,
      newlyAllowedCalls,
      newlyAllowed,
    };
  }
}

/** Recorded outermost first; the gate counts from the parent upwards. */
function ancestorsOf({ launch }: AgentMeta): readonly AgentBounds[] {
  return [...(launch?.ancestors ?? [])].reverse().map(({ policy, ceiling }) => {
    const stored = parseStoredPolicy(policy);
    if (!stored.ok) throw unreadable();
    return { policy: stored.value, ceiling: readCeiling(ceiling) };
  });
}

function ceilingOf({ launch }: AgentMeta): { ceiling?: Ceiling } {
  return launch === null ? {} : { ceiling: readCeiling(launch.ceiling) };
}

function readCeiling(stored: unknown): Ceiling {
  const ceiling = parseCeiling(stored);
  if (!ceiling.ok) throw unreadable();
  return ceiling.value;
}

const unreadable = (): ProblemError =>
  new ProblemError(EdgeCode.POLICY_UNREADABLE, 'The bounds of this agent cannot be read as stored.');
