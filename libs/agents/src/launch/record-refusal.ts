import { accepted, type CommandTools, executeCommand } from '#transcripts';
import type { LaunchRejection, LaunchRequest } from './launch-request.js';

/** Code units of a refused call, and of each text about it, that the log keeps: a refusal must always be recordable. */
const requestedCap = 8_192;
const textCap = 2_048;
const mostOffenders = 100;

/** The one record of a refused launch, on the caller's stream (spec 02 §1). */
export async function recordRefusal(
  tools: CommandTools,
  request: LaunchRequest,
  rejection: LaunchRejection,
): Promise<void> {
  const { code, message, offenders } = rejection;
  const data = {
    code,
    message: message.slice(0, textCap),
    offenders: offenders.slice(0, mostOffenders).map((offender) => offender.slice(0, textCap)),
    requested: printed(request.call),
  };
  await executeCommand(tools, {
    stream: request.callerId,
    context: request.context,
    // A caller that was archived meanwhile does not come back as a stream that holds nothing else.
    decide: ({ status }) => (status === 'absent' ? accepted() : accepted({ type: 'LaunchRefused', data })),
  });
}

/** The call as JSON text, cut where it is too long; what cannot be printed is said to be so. */
function printed(call: unknown): string {
  if (call === undefined) return 'null';
  try {
    return JSON.stringify(call).slice(0, requestedCap);
  } catch {
    return '"(nested too deeply to print)"';
  }
}
