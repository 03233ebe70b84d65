import { loadMeta } from '../../execute-command.js';
import { verifyStream } from '../../verify-stream.js';
import { openPostgresLog } from '../open-postgres-log.js';

/** A process that reads one stream in every way that the product does, by several readers at once, and prints what it found. */
async function main(url: string, stream: string, readers: number): Promise<void> {
  const log = await openPostgresLog({ url });
  const { store } = log;
  const readAll = async () => {
    const verdict = await verifyStream(store, stream);
    const meta = await loadMeta(store, stream);
    let events = 0;
    for (let page = await store.readLog(null, 1e9); ; page = await store.readLog(page.next, 1e9)) {
      events += page.events.filter((event) => event.stream === stream).length;
      if (!page.more) return { verified: verdict.ok, folded: meta.head.version, events };
    }
  };
  const found = await Promise.all(Array.from({ length: readers }, readAll));
  await log.close();
  process.stdout.write(JSON.stringify(found));
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', Number(process.argv[4]));
