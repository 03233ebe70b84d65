import { firstCodePoints } from '../tools/output-cap.js';

/** A server or tool that is configured or offered, is not declared, and is reported on the recorded surface. */
export interface Withheld {
  /** Raw form: `mcp__<server>` or `mcp__<server>__<tool>`. */
  readonly name: string;
  /** A code of `WithheldCode`, a colon, and words for people. */
  readonly reason: string;
}

/** Why; the first word of each reason. */
export const WithheldCode = Object.freeze({
  SERVER_NAME: 'server_name',
  CONFIG: 'server_config',
  SERVER_FAILED: 'server_failed',
  LIST_CUT: 'list_cut',
  TOOL_NAME: 'tool_name',
  TOOL_TWICE: 'tool_listed_twice',
  SCHEMA: 'tool_schema',
  NEEDS_TASKS: 'tool_needs_tasks',
});
export type WithheldCode = (typeof WithheldCode)[keyof typeof WithheldCode];

const LONGEST = 300;

/** One line, bounded: the text may come from a server, and is recorded with every surface. */
export function reasonText(code: WithheldCode, words: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return `${code}: ${firstCodePoints(line.toWellFormed(), LONGEST)}`;
}
