/** Bytes that this server counts as one token. */
export const bytesPerToken = 4;
const cacheUnitBytes = 16;

/** Tokens of a number of bytes: four bytes each, a rest counts as one. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** Tokens of a shared prefix: whole units of 16 bytes (4 tokens) only, as providers cache in units. */
export function cachedTokensOf(sharedBytes: number): number {
  return Math.floor(sharedBytes / cacheUnitBytes) * (cacheUnitBytes / bytesPerToken);
}
