import { launchAgent, type LaunchRequest, UnreadableBoundsError } from '#agents';
import { assertSameBody } from '../../http/parse-request.js';
import { EdgeCode, type ProblemCode, ProblemError } from '../../http/problem.js';
import { envelopeOf, type RequestOrigin } from '../../http/request-origin.js';
import type { Launcher } from './launcher.js';

/** Launches for a request, or throws the problem of a refused launch. */
export async function launchOrProblem(
  launcher: Launcher,
  origin: RequestOrigin,
  request: Pick<LaunchRequest, 'callerId' | 'call' | 'forkPoint'>,
): Promise<{ readonly id: string }> {
  const result = await launch(launcher, origin, request);
  if (!result.ok) {
    const { code, message, offenders } = result.rejection;
    throw new ProblemError(code as ProblemCode, message, { offenders });
  }
  assertSameBody(origin.idempotency, result.bodyHash);
  return { id: result.agentId };
}

async function launch(
  launcher: Launcher,
  origin: RequestOrigin,
  request: Pick<LaunchRequest, 'callerId' | 'call' | 'forkPoint'>,
) {
  try {
    return await launchAgent(launcher.tools, { ...request, key: null, isHttp: true, ...envelopeOf(origin) });
  } catch (thrown) {
    if (thrown instanceof UnreadableBoundsError)
      throw new ProblemError(EdgeCode.POLICY_UNREADABLE, thrown.message, {}, thrown);
    throw thrown;
  }
}
