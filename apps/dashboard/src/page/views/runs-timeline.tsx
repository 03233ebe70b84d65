import { formatDuration, formatTime } from '../state/format.js';
import { runSpans, type Run, type RunSpan } from '../state/runs.js';
import { useNow } from './use-now.js';

/** Every run on one track of time: which worker held the agent, and why it let go. */
export function RunsTimeline(props: { readonly runs: readonly Run[] }) {
  const { runs } = props;
  const now = useNow(runs.some((run) => run.endedAt === null));
  const spans = runSpans(runs, now);
  return (
    <section class="runs" aria-labelledby="runs-title">
      <h2 id="runs-title">
        Runs <span class="quiet">{runs.length === 1 ? '1 epoch' : `${runs.length} epochs`}</span>
      </h2>
      <ol>
        {runs.map((run, index) => (
          <RunLine key={`${run.epoch}-${run.startedAt}`} run={run} span={spans[index] ?? null} now={now} />
        ))}
      </ol>
    </section>
  );
}

function RunLine(props: { readonly run: Run; readonly span: RunSpan | null; readonly now: number }) {
  const { run, span, now } = props;
  const endedMs = run.endedAt === null ? now : Date.parse(run.endedAt);
  return (
    <li class={`run run-${run.end}`}>
      <span class="run-name">
        <b>epoch {run.epoch}</b> <code>{run.worker ?? 'unknown worker'}</code>
      </span>
      <span class="run-track" aria-hidden="true">
        {span !== null && (
          <span
            class="run-bar"
            style={{ left: `${span.start * 100}%`, width: `${Math.max(span.length * 100, 0.6)}%` }}
          />
        )}
      </span>
      <span class="run-end">
        <b>{run.end === 'open' ? 'running' : run.end}</b>
        {run.cause !== null && <span>: {run.cause.replaceAll('_', ' ')}</span>}
        <span class="quiet">
          {' '}
          {run.reason !== null && `${run.reason}, `}
          {formatTime(run.startedAt)}, {formatDuration(endedMs - Date.parse(run.startedAt))}, {run.turns}{' '}
          {run.turns === 1 ? 'turn' : 'turns'}, {run.calls} {run.calls === 1 ? 'call' : 'calls'}
        </span>
      </span>
    </li>
  );
}
