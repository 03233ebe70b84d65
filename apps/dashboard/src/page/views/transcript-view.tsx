import { useMemo, useState } from 'preact/hooks';
import { families, type Entry, type Family } from '../state/entries/entry.js';
import { filterEntries } from '../state/entries/filter-entries.js';
import { isWorthALook } from '../state/entries/worth-a-look.js';
import { formatTime } from '../state/format.js';
import type { Transcript } from '../state/transcript.js';
import { EntryLine } from './entry-line.js';

/** How many entries stand above the transcript, the latest of them. */
const lookFirstAtMost = 6;

const labels: Readonly<Record<Family, string>> = {
  turn: 'Turns',
  call: 'Calls',
  refusal: 'Refusals',
  approval: 'Approvals',
  run: 'Runs',
  message: 'Messages',
  other: 'Other',
};

/** Everything that happened to one agent, in order; live records come in at the end. */
export function TranscriptView(props: {
  readonly transcript: Transcript;
  readonly entries: readonly Entry[];
  readonly onReadOn: () => void;
}) {
  const { transcript, entries } = props;
  const [family, setFamily] = useState<Family | null>(null);
  const [query, setQuery] = useState('');
  const shown = useMemo(() => filterEntries(entries, family, query), [entries, family, query]);
  return (
    <section class="transcript" aria-labelledby="transcript-title">
      <header class="transcript-head">
        <h2 id="transcript-title">
          Transcript <span class="quiet">{transcript.records.length} records</span>
        </h2>
        <FamilyFilter entries={entries} family={family} onFamily={setFamily} />
        <label class="sr-only" for="transcript-query">
          Search the transcript
        </label>
        <input
          id="transcript-query"
          type="search"
          placeholder="Search the transcript"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </header>
      {family === null && query === '' && <LookFirst entries={entries} />}
      <ol class="entries">
        {shown.map((entry) => (
          <EntryLine key={entry.version} agentId={transcript.agentId} entry={entry} />
        ))}
      </ol>
      {shown.length === 0 && entries.length > 0 && <p class="quiet">No entry matches.</p>}
      <TranscriptEnd transcript={transcript} onReadOn={props.onReadOn} />
    </section>
  );
}

function FamilyFilter(props: {
  readonly entries: readonly Entry[];
  readonly family: Family | null;
  readonly onFamily: (family: Family | null) => void;
}) {
  const { entries, family, onFamily } = props;
  const counts = new Map<Family, number>();
  for (const entry of entries) counts.set(entry.family, (counts.get(entry.family) ?? 0) + 1);
  return (
    <div class="segments" role="group" aria-label="Show">
      <button type="button" aria-pressed={family === null} onClick={() => onFamily(null)}>
        All
      </button>
      {families
        .filter((name) => counts.has(name))
        .map((name) => (
          <button key={name} type="button" aria-pressed={family === name} onClick={() => onFamily(name)}>
            {labels[name]} <span class="segment-count">{counts.get(name)}</span>
          </button>
        ))}
    </div>
  );
}

function LookFirst(props: { readonly entries: readonly Entry[] }) {
  const worth = props.entries.filter(isWorthALook);
  if (worth.length === 0) return null;
  return (
    <section class="look-first" aria-label="Refused, in doubt or waiting">
      <ul>
        {worth.slice(-lookFirstAtMost).map((entry) => (
          <li key={entry.version}>
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
            <code>{entry.title}</code>
            {entry.badge !== null && <span class={`mark mark-${entry.badge.tone}`}>{entry.badge.text}</span>}
            <span class="quiet">{entry.detail}</span>
          </li>
        ))}
      </ul>
      {worth.length > lookFirstAtMost && (
        <p class="quiet">and {worth.length - lookFirstAtMost} earlier ones in the transcript.</p>
      )}
    </section>
  );
}

function TranscriptEnd(props: { readonly transcript: Transcript; readonly onReadOn: () => void }) {
  switch (props.transcript.phase) {
    case 'loading':
    case 'torn':
      return <p class="quiet">Reading…</p>;
    case 'partial':
      return (
        <button type="button" onClick={props.onReadOn}>
          Read the next records
        </button>
      );
    case 'failed':
      return (
        <p class="problem" role="alert">
          The transcript cannot be read: {props.transcript.problem}{' '}
          <button type="button" onClick={props.onReadOn}>
            Try again
          </button>
        </p>
      );
    case 'complete':
      return null;
  }
}
