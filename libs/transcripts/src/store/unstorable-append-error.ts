/** Why an append can never be recorded, whatever the state of the log. */
export const UnstorableCode = Object.freeze({
  /** An event's payload is over the hard limit. */
  eventTooLarge: 'event_too_large',
  /** A raw NUL or a lone surrogate stands in a text; JSON writes both as escapes. */
  textNotStorable: 'text_not_storable',
  /** A name of the envelope is empty or over its limit. */
  envelopeOutOfBounds: 'envelope_out_of_bounds',
  /** A stream or event id is no lower-case UUID. */
  idNotCanonical: 'id_not_canonical',
  /** The expected head is no head: version and hash do not belong together. */
  headNotPossible: 'head_not_possible',
});
export type UnstorableCode = (typeof UnstorableCode)[keyof typeof UnstorableCode];

/**
 * Thrown by `append` before anything is written, when no state of the log could take the append. Never retried:
 * the caller has to make another event. Recognise it by `code`.
 */
export class UnstorableAppendError extends Error {
  override readonly name = 'UnstorableAppendError';
  readonly code: UnstorableCode;

  constructor(code: UnstorableCode, message: string) {
    super(message);
    this.code = code;
  }
}
