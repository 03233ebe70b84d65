import pg from 'pg';
import { newId } from '#platform';
import { NO_STREAM, openPostgresLog, type StreamHead, type TranscriptStore } from '#transcripts';
import { interleave } from '../harness/interleave.js';
import { type Measurement, measurement } from '../harness/measurement.js';
import { median } from '../harness/median.js';
import { payload } from './appenders.js';

const suite = 'log';
const pageSize = 1_000;

/** Reading the log from its beginning, beside a server-side cursor over the bare rows in the same order. */
export async function measureCatchUp(
  url: string,
  { events, rounds }: { readonly events: number; readonly rounds: number },
): Promise<readonly Measurement[]> {
  const log = await openPostgresLog({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fill(log.store, events);
  await client.query('vacuum analyze event');
  const rates = await interleave(
    [
      { name: 'log', sample: () => perSecond(() => readByLog(log.store)) },
      { name: 'cursor', sample: () => perSecond(() => readByCursor(client)) },
    ],
    { rounds },
  );
  await client.end();
  await log.close();
  const own = median(rates.get('log') ?? []);
  const bare = median(rates.get('cursor') ?? []);
  const peer = { name: 'bare SELECT with a cursor', value: bare };
  return [
    measurement({ suite, metric: 'catch-up reading', unit: 'events/s', value: own, peer }),
    measurement({
      suite,
      metric: 'catch-up as a multiple of a bare cursor',
      unit: 'x',
      value: own / bare,
      goal: { atLeast: 0.7 },
    }),
  ];
}

/** Adds events to the log until it holds at least so many, as long streams of many agents. */
export async function fill(store: TranscriptStore, events: number): Promise<void> {
  const context = { actor: 'worker:bench', tenant: 'bench' };
  const perAppend = 50;
  const newEvent = () => ({ id: newId(), type: 'MessageAppended', schema: 1, data: payload });
  const streams = 16;
  const appends = Math.ceil(events / perAppend / streams);
  const write = async (): Promise<void> => {
    let stream = newId();
    let head: StreamHead = NO_STREAM;
    for (let append = 0; append < appends; append += 1) {
      const batch = [newEvent(), ...Array.from({ length: perAppend - 1 }, newEvent)] as const;
      const result = await store.append({ stream, expected: head, context, events: batch });
      if (!result.ok) throw new Error(`Filling the log lost an append: ${result.reason}.`);
      head = result.head;
      if (head.version >= 1_000) [stream, head] = [newId(), NO_STREAM];
    }
  };
  await Promise.all(Array.from({ length: streams }, write));
}

async function perSecond(read: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const count = await read();
  return count / ((performance.now() - start) / 1000);
}

async function readByLog(store: TranscriptStore): Promise<number> {
  let count = 0;
  let page = await store.readLog(null, pageSize);
  for (count += page.events.length; page.more; count += page.events.length)
    page = await store.readLog(page.next, pageSize);
  return count;
}

async function readByCursor(client: pg.Client): Promise<number> {
  let count = 0;
  await client.query('begin');
  await client.query(
    `declare everything no scroll cursor for select * from event order by generation, xid, position`,
  );
  for (let read = pageSize; read === pageSize; count += read)
    read = (await client.query(`fetch ${pageSize} from everything`)).rows.length;
  await client.query('commit');
  return count;
}
