import { didYouMean } from '../text/did-you-mean.js';
import { quoted } from '../text/quoted.js';

/** Unknown keys of a mapping, and a sentence that suggests what was meant; null when all are known. */
export interface UnknownKeys {
  readonly offenders: readonly string[];
  readonly fault: string;
}

/** Finds the keys that are not known: an unknown key is refused, never dropped, because it may have been a restriction. */
export function checkKeys(keys: Iterable<string>, known: readonly string[]): UnknownKeys | null {
  const offenders = [...keys].filter((key) => !known.includes(key));
  if (offenders.length === 0) return null;
  const suggestions = offenders.slice(0, 20).map((key) => {
    const meant = didYouMean(key, known);
    return meant === null ? quoted(key) : `${quoted(key)} (did you mean ${quoted(meant)}?)`;
  });
  const rest = offenders.length - suggestions.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return { offenders, fault: `${suggestions.join(', ')}${more}; known are: ${known.join(', ')}` };
}
