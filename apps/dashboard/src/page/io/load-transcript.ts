import { parsePage } from '../state/agent.js';
import type { PageState } from '../state/page-state.js';
import {
  failedTranscript,
  parseRecord,
  pausedTranscript,
  withPage,
  type Transcript,
} from '../state/transcript.js';
import { get } from './api.js';
import type { Store } from './store.js';

const pageSize = 200;

/** How many records are read before a person has to ask for more. */
const mostAtOnce = 2000;

/** Reads the open transcript on from where it stands, to its end or until enough is read. Stops when another one is opened. */
export async function loadTranscript(store: Store<PageState>, agentId: string): Promise<void> {
  let read = 0;
  for (let open = current(store, agentId); open?.phase === 'loading'; open = current(store, agentId)) {
    if (read >= mostAtOnce) return change(store, agentId, pausedTranscript);
    const after = open.after === null ? '' : `&after=${encodeURIComponent(open.after)}`;
    const answer = await get(
      `/v1/agents/${encodeURIComponent(agentId)}/transcript?limit=${pageSize}${after}`,
    );
    if (!answer.ok)
      return change(store, agentId, (transcript) => failedTranscript(transcript, answer.problem));
    const page = parsePage(answer.body);
    const records = page.items.flatMap((item) => parseRecord(item) ?? []);
    read += records.length;
    const next = page.items.length === 0 ? null : page.next;
    change(store, agentId, (transcript) => withPage(transcript, records, next));
  }
}

function current(store: Store<PageState>, agentId: string): Transcript | null {
  const { transcript } = store.state;
  return transcript?.agentId === agentId ? transcript : null;
}

function change(store: Store<PageState>, agentId: string, to: (transcript: Transcript) => Transcript): void {
  store.update((state) =>
    state.transcript?.agentId === agentId ? { ...state, transcript: to(state.transcript) } : state,
  );
}
