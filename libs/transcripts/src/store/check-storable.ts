import type { EventContext, NewEvent, StreamHead } from '../events/recorded-event.js';
import { storeLimits } from './store-limits.js';
import type { AppendRequest, IdempotencyClaim } from './transcript-store.js';
import { UnstorableAppendError, UnstorableCode } from './unstorable-append-error.js';

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const sha256Hex = /^[0-9a-f]{64}$/;
// With the u flag a surrogate matches only when it is alone.
const loneSurrogate = /\p{Surrogate}/u;

/** Throws `UnstorableAppendError` when no state of the log could record `request`. */
export function checkStorable(request: AppendRequest): void {
  checkId('stream', request.stream);
  checkHead(request.expected);
  checkContext(request.context);
  if (request.idempotency !== undefined) checkClaim(request.idempotency);
  for (const event of request.events) checkEvent(event);
}

function checkEvent(event: NewEvent): void {
  checkId('event id', event.id);
  checkName('type', event.type);
  if (!Number.isInteger(event.schema) || event.schema < 1 || event.schema > 32_767) {
    throw outOfBounds(`The schema version ${event.schema} of ${event.type} is not between 1 and 32767.`);
  }
  const sizeBytes = Buffer.byteLength(event.data);
  if (sizeBytes > storeLimits.eventBytes) {
    throw new UnstorableAppendError(
      UnstorableCode.eventTooLarge,
      `The payload of ${event.type} is ${sizeBytes} bytes; the log takes at most ${storeLimits.eventBytes}.`,
    );
  }
  checkText(`payload of ${event.type}`, event.data);
}

function checkContext(context: EventContext): void {
  checkName('actor', context.actor);
  checkName('tenant', context.tenant);
  for (const part of ['causation', 'correlation', 'trace'] as const) {
    const value = context[part];
    if (value !== undefined) checkName(part, value);
  }
}

function checkClaim(claim: IdempotencyClaim): void {
  checkName('idempotency key', claim.key);
  if (!sha256Hex.test(claim.bodyHash))
    throw outOfBounds('The body hash of an idempotency claim is no SHA-256 in lower-case hex.');
}

function checkHead(head: StreamHead): void {
  const isPossible =
    head.version === 0
      ? head.hash === null
      : Number.isInteger(head.version) && head.version > 0 && head.hash !== null && sha256Hex.test(head.hash);
  if (!isPossible) {
    throw new UnstorableAppendError(
      UnstorableCode.headNotPossible,
      `No stream stands at version ${head.version} with that hash.`,
    );
  }
}

function checkId(what: string, id: string): void {
  if (!canonicalUuid.test(id)) {
    throw new UnstorableAppendError(
      UnstorableCode.idNotCanonical,
      `The ${what} is no UUID in lower-case hex.`,
    );
  }
}

function checkName(what: string, name: string): void {
  const sizeBytes = Buffer.byteLength(name);
  if (sizeBytes === 0 || sizeBytes > storeLimits.nameBytes) {
    throw outOfBounds(`The ${what} has ${sizeBytes} bytes; it takes 1 to ${storeLimits.nameBytes}.`);
  }
  checkText(what, name);
}

function checkText(what: string, text: string): void {
  if (text.includes('\0') || loneSurrogate.test(text)) {
    throw new UnstorableAppendError(
      UnstorableCode.textNotStorable,
      `The ${what} holds a raw NUL or a lone surrogate; JSON text writes both as escapes.`,
    );
  }
}

function outOfBounds(message: string): UnstorableAppendError {
  return new UnstorableAppendError(UnstorableCode.envelopeOutOfBounds, message);
}
