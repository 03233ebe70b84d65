import { formatTime } from '../state/format.js';
import type { Worker } from '../state/workers.js';

/** The worker processes in one strip; nothing when the server does not tell. */
export function Workers(props: { readonly workers: readonly Worker[] | null }) {
  if (props.workers === null) return null;
  return (
    <section class="workers" aria-label="Workers" tabIndex={0}>
      <h2>{props.workers.length === 1 ? '1 worker' : `${props.workers.length} workers`}</h2>
      <ul>
        {props.workers.map((worker) => (
          <li key={worker.id} title={worker.id}>
            <code>{worker.id}</code>
            <span class="worker-load">{worker.agents === 1 ? '1 agent' : `${worker.agents} agents`}</span>
            <span class="quiet">
              {worker.host ?? ''} {worker.pid === null ? '' : `pid ${worker.pid}`} since{' '}
              {formatTime(worker.startedAt)}
            </span>
          </li>
        ))}
      </ul>
      {props.workers.length === 0 && <p class="quiet">Queued agents start when one connects.</p>}
    </section>
  );
}
