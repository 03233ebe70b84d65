import { accepted, type CommandTools, executeCommand } from '#transcripts';
import type { LaunchRejection, LaunchRequest } from './launch-request.js';

/** How much of a refused call the log keeps. */
const requestedCap = 8_192;

/** The one record of a refused launch, on the caller's stream (spec 02 §1). */
export async function recordRefusal(
  tools: CommandTools,
  request: LaunchRequest,
  rejection: LaunchRejection,
): Promise<void> {
  const { code, message, offenders } = rejection;
  const requested = printed(request.call);
  await executeCommand(tools, {
    stream: request.callerId,
    context: request.context,
    decide: () =>
      accepted({
        type: 'LaunchRefused',
        data: { code, message, offenders: [...offenders].slice(0, 100), requested },
      }),
  });
}

/** The call as JSON text, cut where it is too long; what cannot be printed is said to be so. */
function printed(call: unknown): string {
  try {
    return Array.from(JSON.stringify(call)).slice(0, requestedCap).join('');
  } catch {
    return '"(nested too deeply to print)"';
  }
}
