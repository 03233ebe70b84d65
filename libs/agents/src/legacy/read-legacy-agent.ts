import { importLegacyPolicy, type LegacyPolicy } from '#policy';
import type { Message } from '#transcripts';
import { pairingDefect } from '../pure/pairing.js';
import { legacyMessages } from './legacy-messages.js';
import {
  LegacyBootstrap,
  type LegacyContent,
  LegacyLaunchPrompt,
  LegacyMeta,
  LegacyRecord,
} from './legacy-records.js';

/** A legacy agent as far as it was understood. */
export interface LegacyAgent {
  readonly meta: LegacyMeta;
  readonly policy: LegacyPolicy;
  /** JSON text of the list that was stored, null when none was. */
  readonly requestedTools: string | null;
  readonly inherited: readonly Message[];
  readonly systemInstruction: string;
  readonly prompt: string;
  readonly own: readonly Message[];
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** True when the last line was cut: what it held is lost. */
  readonly isTorn: boolean;
}

export interface LegacyRefusal {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
}

export type LegacyReading = { readonly ok: true; readonly agent: LegacyAgent } | LegacyRefusal;

const refuse = (code: string, message: string): LegacyRefusal => ({ ok: false, code, message });

/**
 * Understands the two texts of a legacy agent, sidecar and transcript, or says what is wrong with them. A missing list means unrestricted here
 * and only here; what cannot be read is refused, never guessed (spec 03 §4). Pure.
 */
export function readLegacyAgent(sidecar: string, transcript: string): LegacyReading {
  const read = readSidecar(sidecar);
  if (!read.ok) return read;
  const lines = readLines(transcript);
  if (!lines.ok) return lines;
  const conversation = conversationOf(chainOf(lines.records));
  if (!conversation.ok) return conversation;
  const { records, isTorn } = lines;
  const agent = { ...read.facts, ...conversation.conversation, ...placeOf(read.facts.meta, records), isTorn };
  return { ok: true, agent };
}

type Sidecar =
  | { readonly ok: true; readonly facts: Pick<LegacyAgent, 'meta' | 'policy' | 'requestedTools'> }
  | LegacyRefusal;

function readSidecar(text: string): Sidecar {
  const raw = parseJson(text);
  const meta = LegacyMeta.safeParse(raw);
  if (!meta.success) return refuse('LEGACY_SIDECAR_UNREADABLE', `The sidecar: ${meta.error.message}`);
  const policy = importLegacyPolicy(raw);
  if (!policy.ok) return refuse(policy.rejection.code, policy.rejection.message);
  return { ok: true, facts: { meta: meta.data, policy: policy.value, requestedTools: listText(raw) } };
}

/** Where and when it ran. */
function placeOf(
  { createdAt }: LegacyMeta,
  records: readonly LegacyRecord[],
): Pick<LegacyAgent, 'cwd' | 'startedAt'> {
  const cwd = records.find((record) => record.cwd !== undefined)?.cwd ?? null;
  const startedAt = createdAt ?? records.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? null;
  return { cwd, startedAt };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listText(raw: unknown): string | null {
  const { executionAllowedTools: list } = raw as { executionAllowedTools?: unknown };
  return list === undefined ? null : JSON.stringify(list);
}

type Lines =
  { readonly ok: true; readonly records: readonly LegacyRecord[]; readonly isTorn: boolean } | LegacyRefusal;

/** The last line of a file that its writer did not finish is left out; any other bad line refuses the file. */
function readLines(text: string): Lines {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const records: LegacyRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const record = LegacyRecord.safeParse(parseJson(line));
    if (record.success) records.push(record.data);
    else if (index < lines.length - 1 || text.endsWith('\n'))
      return refuse('LEGACY_TRANSCRIPT_UNREADABLE', `Line ${index + 1} of the transcript is no record.`);
  }
  return { ok: true, records, isTorn: records.length < lines.length };
}

/** The records that the last one goes back to: a resumed agent left what had been cut off behind. */
function chainOf(records: readonly LegacyRecord[]): readonly LegacyRecord[] {
  const byId = new Map(records.map((record) => [record.uuid, record]));
  const chain: LegacyRecord[] = [];
  const seen = new Set<LegacyRecord>();
  for (
    let at = records.at(-1);
    at !== undefined && !seen.has(at);
    at = byId.get(at.parentUuid ?? undefined)
  ) {
    if (at.uuid === undefined) return records;
    seen.add(at);
    chain.unshift(at);
  }
  return chain;
}

type Conversation =
  | {
      readonly ok: true;
      readonly conversation: Pick<LegacyAgent, 'inherited' | 'systemInstruction' | 'prompt' | 'own'>;
    }
  | LegacyRefusal;

function conversationOf(records: readonly LegacyRecord[]): Conversation {
  const payload = records.find(({ subtype }) => subtype === 'agent_bootstrap')?.systemPayload;
  const bootstrap = LegacyBootstrap.safeParse(payload);
  if (!bootstrap.success)
    return refuse(
      'LEGACY_BOOTSTRAP_UNREADABLE',
      'The transcript holds no readable agent_bootstrap of a fork.',
    );
  const inherited = legacyMessages(bootstrap.data.history);
  const defect = pairingDefect(inherited);
  if (defect !== null)
    return refuse(
      'LEGACY_BOOTSTRAP_UNREADABLE',
      `Message ${defect.index} of the inherited history: ${defect.message}`,
    );
  const { prompt, own } = spokenIn(records);
  if (prompt === '') return refuse('LEGACY_PROMPT_MISSING', 'The transcript holds no launch prompt.');
  const systemInstruction = instructionOf(bootstrap.data);
  return { ok: true, conversation: { inherited, systemInstruction, prompt, own } };
}

/** The launch prompt as it was sent, and what was said after it: the first user message is that prompt as it was shown. */
function spokenIn(records: readonly LegacyRecord[]): Pick<LegacyAgent, 'prompt' | 'own'> {
  const spoken = records.flatMap(({ message }) => message ?? []);
  const stored = LegacyLaunchPrompt.safeParse(
    records.find(({ subtype }) => subtype === 'agent_launch_prompt')?.systemPayload,
  );
  const [first] = spoken;
  const shown = first?.role === 'user' ? textOf(first) : '';
  return {
    prompt: stored.success ? stored.data.displayText : shown,
    own: legacyMessages(shown === '' ? spoken : spoken.slice(1)),
  };
}

const textOf = ({ parts }: LegacyContent): string => parts.map(({ text = '' }) => text).join('');

function instructionOf({ systemInstruction = '' }: LegacyBootstrap): string {
  if (typeof systemInstruction === 'string') return systemInstruction;
  return systemInstruction.parts.map(({ text = '' }) => text).join('\n\n');
}
