import { describeRequest } from '../recording/describe-request.js';
import { failed, type ControlCall, type ControlReply } from './control-reply.js';

const defaultPage = 100;

function numberOf(text: string | null, otherwise: number): number | null {
  if (text === null) return otherwise;
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Recorded requests above the cursor `after`; `next` is the cursor to go on from. */
export function listRequests({ query, context }: ControlCall): ControlReply {
  const after = numberOf(query.get('after'), 0);
  const limit = numberOf(query.get('limit'), defaultPage);
  if (after === null || limit === null) return failed(400, "'after' and 'limit' are whole numbers.");
  const requests = context.log.after(after, limit);
  const next = requests.at(-1)?.n ?? after;
  return {
    status: 200,
    json: { requests: requests.map(describeRequest), next, last: context.log.lastNumber },
  };
}

/** The bytes of one request, as they came. */
export function getRequestBody({ argument, context }: ControlCall): ControlReply {
  const found = context.log.find(Number(argument));
  return found === null
    ? failed(404, `Request ${argument} is not kept.`)
    : { status: 200, bytes: found.body };
}

export function clearRequests({ context }: ControlCall): ControlReply {
  context.log.clear();
  return { status: 204 };
}
