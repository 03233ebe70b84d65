/**
 * JSON text with the members of every object in code-unit order: one text for schemas that differ in key order only, so
 * that neither a prompt's bytes nor a fingerprint change with them (field cases P01, M19). The value's depth is bounded by the caller.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
