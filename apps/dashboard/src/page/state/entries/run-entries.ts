import { asJson, asList, number, strings, text, type Json } from '../read.js';
import type { TranscriptRecord } from '../transcript.js';
import { codeBlock, entryOf, proseBlock, spoken, type Entry, type Tone } from './entry.js';

const titles: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  SessionOpened: ['Session opened', 'plain'],
  SessionClosed: ['Session closed', 'plain'],
  SessionReopened: ['Session reopened', 'plain'],
  AgentLaunched: ['Launched', 'plain'],
  AgentResumed: ['Resumed', 'live'],
  RunParked: ['Run parked', 'warn'],
  RunInterrupted: ['Run interrupted', 'bad'],
  RunReleased: ['Run released', 'plain'],
  RevivalBlocked: ['Revival blocked', 'bad'],
  AgentCompleted: ['Completed', 'good'],
  AgentFailed: ['Failed', 'bad'],
  AgentCancelled: ['Cancelled', 'warn'],
  WaitEnded: ['Wait ended', 'plain'],
};

/** The entry of a record that opens, ends or blocks a run or an activation, or refuses a launch; null for any other record. */
export function runEntry(record: TranscriptRecord): Entry | null {
  if (record.name === 'RunStarted') return startEntry(record);
  if (record.name === 'LaunchRefused') return refusedLaunch(record);
  const known = Object.hasOwn(titles, record.name) ? titles[record.name] : undefined;
  if (known === undefined) return null;
  const [title, tone] = known;
  const facts = { ...asJson(record.facts['outcome']), ...record.facts };
  const cause = text(facts, 'cause', 'reason');
  return entryOf(record, {
    family: 'run',
    title,
    detail: text(facts, 'description', 'title', 'detail'),
    badge: cause === null ? null : { tone, text: spoken(cause) },
    blocks: [...proseBlock(facts, 'Result', 'result'), ...refusedTools(facts)],
  });
}

function startEntry(record: TranscriptRecord): Entry {
  const reason = text(record.facts, 'reason') ?? 'launch';
  const epoch = number(record.facts, 'epoch');
  const worker = text(record.facts, 'workerId', 'worker');
  return entryOf(record, {
    family: 'run',
    title: reason === 'revival' ? 'Revived' : reason === 'resume' ? 'Run resumed' : 'Run started',
    detail: [epoch === null ? '' : `epoch ${epoch}`, worker === null ? '' : `on ${worker}`]
      .filter(Boolean)
      .join(' '),
    badge: { tone: reason === 'revival' ? 'live' : 'plain', text: spoken(reason) },
    blocks: codeBlock(record.facts, 'Surface', 'surface'),
  });
}

function refusedLaunch(record: TranscriptRecord): Entry {
  const { facts } = record;
  return entryOf(record, {
    family: 'refusal',
    title: 'Launch',
    detail: spoken((text(facts, 'code') ?? 'refused').toLowerCase()),
    badge: { tone: 'bad', text: 'refused' },
    blocks: [...proseBlock(facts, 'Why', 'message'), ...codeBlock(facts, 'Requested', 'requested')],
  });
}

function refusedTools(facts: Json): Entry['blocks'] {
  const names = strings(asList(facts['refusedTools']));
  return names.length === 0 ? [] : [{ label: 'Refused tools', body: names.join('\n'), isCode: true }];
}
