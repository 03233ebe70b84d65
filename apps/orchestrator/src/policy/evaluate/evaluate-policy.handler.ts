import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { evaluatePolicy, lastSurface, PolicyFiles, type PolicyQuestion } from '#agents';
import { DEFAULT_WORKFLOW_MODE, resolveSurface, type StoredPolicy, type ToolSurface } from '#policy';
import type { Runtime } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import type { Principal } from '../../auth/principal.js';
import { EdgeCode, ProblemError } from '../../http/problem.js';
import { orRejection } from '../or-rejection.js';
import {
  EvaluatePolicyQuery,
  type EvaluationAnswer,
  type PolicyAnswer,
  type WithheldAnswer,
} from './evaluate-policy.query.js';
import type { EvaluatePolicyRequest } from './evaluate-policy.request.js';
import { type JudgedQuestion, judgeQuestion } from './judge-question.js';

interface AskedSurface {
  readonly surface: ToolSurface;
  /** What a recorded surface had left out, where the log knows it by name only. */
  readonly withheld: readonly WithheldAnswer[];
}

/** What a launch would be allowed, without launching: reads, decides, records nothing. */
@QueryHandler(EvaluatePolicyQuery)
export class EvaluatePolicyHandler implements IQueryHandler<EvaluatePolicyQuery> {
  constructor(
    private readonly access: AgentAccess,
    private readonly files: PolicyFiles,
  ) {}

  async execute({ request, principal }: EvaluatePolicyQuery): Promise<EvaluationAnswer> {
    const judged = orRejection(judgeQuestion(request));
    const asked = await this.surfaceOf(request, principal);
    const question = await this.questionOf(judged, request, principal);
    const { policy, surface, verdicts } = orRejection(
      evaluatePolicy({ ...question, surface: asked.surface, calls: request.calls }),
    );
    return {
      policy: policyAnswer(policy),
      surface: [...surface.declared].map(([wireName, identity]) => ({ wireName, identity })),
      withheld: [...surface.withheld, ...asked.withheld],
      decisions: verdicts,
    };
  }

  private async surfaceOf(
    { surface, agentId }: EvaluatePolicyRequest,
    principal: Principal,
  ): Promise<AskedSurface> {
    if ((surface === undefined) === (agentId === undefined))
      throw invalid(
        'Give either surface, the tools that there are, or agentId, whose last surface is taken.',
      );
    if (surface !== undefined) {
      const tools = [...surface.builtin.map((name) => ({ name })), ...surface.mcp];
      return { surface: resolveSurface(tools), withheld: [] };
    }
    const meta = await this.access.load(agentId ?? '', principal);
    const recorded = lastSurface(meta);
    if (recorded === null)
      throw invalid('This agent has not run yet, so no surface of it is recorded; give surface instead.');
    const withheld = meta.surface?.withheld ?? [];
    return { surface: recorded, withheld: withheld.map(({ name, reason }) => ({ wireName: name, reason })) };
  }

  private async questionOf(
    judged: JudgedQuestion,
    request: EvaluatePolicyRequest,
    principal: Principal,
  ): Promise<AskedOf<PolicyQuestion>> {
    const runtime = await this.runtimeOf(request, principal);
    const mode = request.mode ?? runtime?.workflowMode ?? DEFAULT_WORKFLOW_MODE;
    if (judged.kind === 'subagent') return { ...judged, mode };
    const { forkProfile, ...rest } = judged;
    if (forkProfile === undefined) return { ...rest, mode };
    if (runtime === null)
      throw invalid('fork_profile needs sessionId: the project whose profiles are meant.');
    return { ...rest, mode, profile: orRejection(await this.files.readProfile(runtime, forkProfile)) };
  }

  private async runtimeOf(
    { sessionId }: EvaluatePolicyRequest,
    principal: Principal,
  ): Promise<Runtime | null> {
    if (sessionId === undefined) return null;
    const { runtime } = await this.access.load(sessionId, principal);
    if (runtime === null)
      throw new ProblemError('NOT_A_SESSION', 'sessionId is the id of an agent that is no session.');
    return runtime;
  }
}

type AskedOf<T> = T extends PolicyQuestion ? Omit<T, 'surface' | 'calls'> : never;

const invalid = (detail: string): ProblemError => new ProblemError(EdgeCode.REQUEST_INVALID, detail);

function policyAnswer(policy: StoredPolicy): PolicyAnswer {
  switch (policy.kind) {
    case 'unrestricted':
      return { kind: 'unrestricted' };
    case 'list': {
      const { entries, bindings } = policy;
      return { kind: 'list', entries, ...(bindings.length === 0 ? {} : { bindings }) };
    }
  }
}
