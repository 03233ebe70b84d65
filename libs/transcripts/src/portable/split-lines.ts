const lineFeed = 0x0a;

/** A line of the file with its number, from 1. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
}

/** No record is longer: an event's payload is bounded, and so is the history that an agent inherits. */
const longestLineBytes = 256 * 1024 * 1024;

/**
 * Splits a file into lines at line feeds alone; other characters that some readers take for line ends may stand in a payload.
 * A line that is longer than any record is given up where it grew too long: its cut text is no sealed line.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const take = (): FileLine => {
    number += 1;
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    sizeBytes = 0;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      parts.push(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    sizeBytes += chunk.length - start;
    if (sizeBytes > longestLineBytes) break;
  }
  if (sizeBytes > 0) yield take();
}
