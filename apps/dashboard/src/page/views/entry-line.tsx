import { printed, type Block, type Entry } from '../state/entries/entry.js';
import { formatLength, formatTime } from '../state/format.js';
import { CodeText } from './code-text.js';
import { Fold } from './fold.js';
import { PictureView } from './picture-view.js';

const shownWhole = 700;

/** One entry: a line to skim, prose as written, payloads folded, the raw records at the very end. */
export function EntryLine(props: { readonly agentId: string; readonly entry: Entry }) {
  const { agentId, entry } = props;
  return (
    <li class={`entry entry-${entry.family}`}>
      <time class="entry-time" dateTime={entry.at} title={entry.at}>
        {formatTime(entry.at)}
      </time>
      <div class="entry-body">
        <p class="entry-line">
          <span class="entry-title">{entry.title}</span>
          {entry.badge !== null && <span class={`mark mark-${entry.badge.tone}`}>{entry.badge.text}</span>}
          {entry.detail !== null && <span class="entry-detail">{entry.detail}</span>}
        </p>
        {entry.blocks.map((block) => (
          <BlockView key={block.label} block={block} />
        ))}
        {entry.picture !== null && <PictureView agentId={agentId} picture={entry.picture} of={entry.title} />}
      </div>
      <Fold class="raw" summary={<RawLabel entry={entry} />}>
        {() => <CodeText body={entry.records.map((record) => printed(record)).join('\n')} label="Records" />}
      </Fold>
    </li>
  );
}

function RawLabel(props: { readonly entry: Entry }) {
  const versions = props.entry.records.map((record) => record.version);
  return (
    <span>
      <span class="sr-only">Records </span>
      {versions.map((version) => `v${version}`).join(' ')}
    </span>
  );
}

function BlockView(props: { readonly block: Block }) {
  const { label, body, isCode } = props.block;
  if (!isCode && body.length <= shownWhole) {
    return <p class="prose">{label === 'Text' ? body : `${label}: ${body}`}</p>;
  }
  return (
    <Fold
      summary={
        <>
          <span class="fold-label">{label}</span> <span class="fold-preview">{preview(body)}</span>{' '}
          <span class="fold-size">{formatLength(body.length)}</span>
        </>
      }
    >
      {() => <CodeText body={body} label={label} />}
    </Fold>
  );
}

const preview = (body: string): string => body.slice(0, 240).replaceAll(/\s+/g, ' ');
