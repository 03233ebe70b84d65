import { readFileSync, statSync } from 'node:fs';
import { parseDocument, visit } from 'yaml';
import type * as z from 'zod';
import { errorCode } from '../../errors/error-code.js';
import { ConfigError, type ConfigIssue } from '../config-error.js';
import { defaultOperatorConfig, type OperatorConfig } from './operator-config.js';
import { operatorSchema } from './operator-schema.js';

const variable = 'OFFSHOOT_CONFIG';
const longestFile = 1_048_576;

/**
 * Reads the operator's file (JSON or YAML). Without a path the defaults hold; a file that is named must be there, be read and
 * hold nothing but known settings. Throws `ConfigError` that names every bad setting by its path. Values are left out of the
 * message: a command line may hold a secret.
 */
export function loadOperatorConfig(path: string | undefined): OperatorConfig {
  if (path === undefined) return defaultOperatorConfig;
  const checked = operatorSchema.safeParse(parse(read(path), path));
  if (!checked.success) throw new ConfigError(checked.error.issues.flatMap(toIssues));
  const { approvalExpirySeconds, ...given } = checked.data;
  return {
    ...defaultOperatorConfig,
    ...given,
    ...(approvalExpirySeconds === undefined ? {} : { approvalExpiryMs: approvalExpirySeconds * 1_000 }),
  };
}

function read(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > longestFile) throw refused(`a file of at most ${longestFile} bytes, and ${path} is larger`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw refused(`a readable file in UTF-8, and ${path} is not (${errorCode(cause) ?? 'not UTF-8'})`);
  }
}

/** One document without repeated keys; JSON is YAML too. */
function parse(text: string, path: string): unknown {
  if (text.trim() === '')
    throw refused(`a file with settings, and ${path} is empty; {} stands for no settings`);
  const document = parseDocument(text, { prettyErrors: true, schema: 'core', version: '1.2' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line ?? 1;
    throw refused(`JSON or YAML, and ${path} is not at line ${line} (${fault.code})`);
  }
  // The schema would drop such a member without a word.
  visit(document, {
    Pair: (_, { key }) => {
      if (String(key) === '__proto__') throw refused('a file without a member named __proto__');
    },
  });
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    // The one thing that fails here is a bomb of aliases.
    throw refused(`a file with few aliases, and ${path} has too many`);
  }
}

const refused = (accepted: string): ConfigError => new ConfigError([{ variable, accepted }]);

/** A bad key of a table says so itself; an unknown member is named as what it is. */
function toIssues(issue: z.core.$ZodIssue): readonly ConfigIssue[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ variable: place([...issue.path, key]), accepted: issue.message }));
  if (issue.code === 'invalid_key')
    return [
      { variable: `the name of ${place(issue.path)}`, accepted: issue.issues[0]?.message ?? issue.message },
    ];
  return [{ variable: place(issue.path), accepted: issue.message }];
}

function place(path: readonly PropertyKey[]): string {
  const steps = path.map((step) =>
    typeof step === 'string' && /^[A-Za-z]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return steps.length === 0 ? variable : `${steps.join('').replace(/^\./, '')} in ${variable}`;
}
