import type { TranscriptPage, TranscriptRecord } from './get-transcript.query.js';

/**
 * A page of a transcript as JSON text. Payloads are spliced in as they were recorded: parsed and printed again, `1.10`, 2^53+1 and
 * duplicate keys would be lost, and deep nesting would not print at all (E08, E09, E11).
 */
export function printTranscript({ records, next, damage }: TranscriptPage): string {
  const end = JSON.stringify({ next, ...(damage === undefined ? {} : { damage }) });
  return `{"records":[${records.map(printRecord).join(',')}],${end.slice(1)}`;
}

function printRecord({ data, ...head }: TranscriptRecord): string {
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
}
