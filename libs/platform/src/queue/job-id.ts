/** A queue job id made by {@link jobId}: letters, digits and dashes only. */
export type JobId = string & { readonly __brand: 'JobId' };

const accepted = /^(?=.*[A-Za-z-])[A-Za-z0-9-]{1,200}$/;
const agentIdShape = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const parts = /^(?<agentId>[A-Za-z0-9][A-Za-z0-9-]{0,99})-(?<epoch>\d{1,9})-(?<dispatch>\d{1,9})$/;

/**
 * The id of one dispatch of one claim: `<agentId>-<epoch>-<dispatch>` (spec 03 §5). A dispatch that nobody claims is sent
 * again under the next number, because the queue silently swallows an id that it still keeps.
 * @throws RangeError when a part is not an internal id or not a whole number from 0: caller-given text never reaches the queue
 */
export function jobId(agentId: string, epoch: number, dispatch: number): JobId {
  if (!agentIdShape.test(agentId)) {
    throw new RangeError('An agent id in a job id has letters, digits and dashes only.');
  }
  for (const [name, value] of Object.entries({ epoch, dispatch })) {
    if (!Number.isInteger(value) || value < 0 || value > 999_999_999) {
      throw new RangeError(`The ${name} of a job id is a whole number from 0 to 999999999, not ${value}.`);
    }
  }
  return `${agentId}-${epoch}-${dispatch}` as JobId;
}

/** The parts of an id made by {@link jobId}, or undefined for any other text. */
export function parseJobId(text: string): { agentId: string; epoch: number; dispatch: number } | undefined {
  const groups = parts.exec(text)?.groups;
  if (groups === undefined) {
    return undefined;
  }
  return {
    agentId: groups['agentId'] ?? '',
    epoch: Number(groups['epoch']),
    dispatch: Number(groups['dispatch']),
  };
}

/** Whether both backends take this text as an id of its own: BullMQ refuses integers and colons and renames the empty one. */
export function isJobId(text: string): text is JobId {
  return accepted.test(text);
}
