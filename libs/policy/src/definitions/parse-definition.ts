import { createHash } from 'node:crypto';
import { allOf } from '../all-of.js';
import { readFrontMatter } from '../front-matter/read-front-matter.js';
import type { FrontMatterValue } from '../front-matter/parse-strict-yaml.js';
import { isProfileName } from '../profiles/profile-name.js';
import {
  accepted,
  PolicyCode,
  rejected,
  type Rejected,
  type RejectionReason,
  type Result,
} from '../rejection.js';
import { described } from '../text/described.js';
import { checkToolNames } from '../toolset/validate-toolset.js';

/** Most bytes in a definition file. */
export const MAX_DEFINITION_BYTES = 262_144;
/** Most names in `tools` or `agents`. */
export const MAX_DEFINITION_NAMES = 200;

const KEYS = ['name', 'description', 'tools', 'model', 'agents'] as const;
const MAX_LINE = 512;

/** An agent definition as read: `tools` as written, `agents` the definitions it may launch, `contentHash` SHA-256 of the file in hex. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly agents: readonly string[];
  readonly systemPrompt: string;
  readonly contentHash: string;
}

type Fields = ReadonlyMap<string, FrontMatterValue>;

/**
 * Reads the bytes of an agent definition (spec 02 §5): strict front matter and a body that is the system prompt. The first failed
 * check refuses; a definition is never repaired, and one that names no tools is malformed, not unlimited.
 */
export function parseDefinition(file: Uint8Array | string): Result<AgentDefinition> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const parsed = readFrontMatter(bytes, { maxBytes: MAX_DEFINITION_BYTES, keys: KEYS, body: 'text' });
  if (!parsed.ok) return refuse(parsed.reason, `The definition ${parsed.fault}.`, parsed.offenders);
  const { fields, body } = parsed;
  const read = allOf({
    name: readName(fields),
    description: readLine(fields, 'description', 'a text that is not blank'),
    tools: readTools(fields),
    model: fields.has('model') ? readLine(fields, 'model', 'a model name') : accepted(null),
    agents: fields.has('agents') ? readAgents(fields) : accepted([]),
  });
  if (!read.ok) return read;
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  return accepted(Object.freeze({ ...read.value, systemPrompt: body.trim(), contentHash }));
}

function readName(fields: Fields): Result<string> {
  const name = fields.get('name');
  if (isProfileName(name)) return accepted(name);
  return refuse(
    'name',
    `The definition has ${described(name)} as name; it takes 2 to 50 letters, numbers, "-" and "_".`,
  );
}

function readLine(fields: Fields, key: 'description' | 'model', wanted: string): Result<string> {
  const value = fields.get(key);
  const text = typeof value === 'string' ? value.trim() : '';
  if (text !== '' && text.length <= MAX_LINE) return accepted(text);
  return refuse(key, `The definition must have ${wanted} of at most ${MAX_LINE} characters as ${key}.`);
}

function readTools(fields: Fields): Result<readonly string[]> {
  const tools = readNames(fields.get('tools'));
  if (tools === null || tools.length === 0) {
    return refuse('tools', 'The definition must name its tools: a list of one or more names.');
  }
  const checked = checkToolNames(tools);
  return checked.ok ? checked : refuse('tools', checked.rejection.message, checked.rejection.offenders);
}

function readAgents(fields: Fields): Result<readonly string[]> {
  const agents = readNames(fields.get('agents'));
  if (agents?.every(isProfileName) === true) return accepted(agents);
  return refuse('agents', 'agents must be a list of definition names.');
}

function readNames(value: FrontMatterValue | undefined): readonly string[] | null {
  if (!Array.isArray(value) || value.length > MAX_DEFINITION_NAMES) return null;
  const names = value.filter((item): item is string => typeof item === 'string');
  return names.length === value.length ? Object.freeze(names) : null;
}

function refuse(reason: RejectionReason, message: string, offenders: readonly string[] = []): Rejected {
  return rejected(PolicyCode.DEFINITION_INVALID, message, { offenders, reason });
}
