type Detail = Record<string, unknown>;

// Members that stream in pieces; any other is sent whole, and a later value stands for the earlier one.
const STREAMED = new Set(['text', 'summary', 'data']);

function continues(last: Detail | undefined, piece: Detail): last is Detail {
  return (
    last !== undefined &&
    typeof piece['index'] === 'number' &&
    last['index'] === piece['index'] &&
    last['type'] === piece['type']
  );
}

function extend(detail: Detail, piece: Detail): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = detail[key];
    if (STREAMED.has(key) && typeof before === 'string' && typeof value === 'string')
      detail[key] = before + value;
    else if (value !== null) detail[key] = value;
  }
}

/** Puts streamed `reasoning_details` together: pieces of one index and type become one entry, in the order of arrival. */
export function mergeReasoningDetails(pieces: readonly object[]): readonly object[] {
  const merged: Detail[] = [];
  for (const piece of pieces as readonly Detail[]) {
    const last = merged.at(-1);
    if (continues(last, piece)) extend(last, piece);
    else merged.push({ ...piece });
  }
  return merged;
}
