import type { Status } from '../state/status.js';

// Each status has a shape of its own, so that colour is never the only sign.
const shapes: Readonly<Record<Status, string>> = {
  queued: 'M5 1.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z',
  running: 'M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z',
  waiting: 'M2 1.5h2v7H2zM6 1.5h2v7H6z',
  interrupted: 'M6 .5L1.5 6H4.6L4 9.5L8.5 4H5.4z',
  blocked: 'M1.5 1.5h7v7h-7z',
  completed: 'M1 5.2L4 8.2L9 2.2',
  failed: 'M2 2L8 8M8 2L2 8',
  cancelled: 'M1.5 5H8.5',
  idle: 'M5 1.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z',
  closed: 'M1.5 5H8.5',
  unknown: 'M5 1.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z',
};

/** A status as shape and word. */
export function StatusChip(props: { readonly status: Status }) {
  return (
    <span class={`status status-${props.status}`}>
      <svg class="status-shape" viewBox="0 0 10 10" aria-hidden="true">
        <path d={shapes[props.status]} />
      </svg>
      {props.status}
    </span>
  );
}
