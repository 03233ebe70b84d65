import { get, type IncomingMessage } from 'node:http';
import type { Arrivals } from './arrivals.js';

export interface StreamAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Clients of one event stream. */
export interface Subscribers {
  readonly count: number;
  close(): void;
}

const connectAtOnce = 50;

/** Connects so many clients, each over a connection of its own, and tells `arrivals` of every event that any of them gets. */
export async function subscribe(
  address: StreamAddress,
  count: number,
  arrivals: Arrivals,
): Promise<Subscribers> {
  const open: IncomingMessage[] = [];
  for (let first = 0; first < count; first += connectAtOnce) {
    const batch = Array.from({ length: Math.min(connectAtOnce, count - first) }, () =>
      connect(address, arrivals),
    );
    open.push(...(await Promise.all(batch)));
  }
  return {
    count,
    close: () => {
      for (const response of open) response.destroy();
    },
  };
}

function connect({ url, headers }: StreamAddress, arrivals: Arrivals): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`The event stream answered ${response.statusCode ?? 'nothing'}.`));
        return;
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) arrivals.heard(line);
      });
      // Closing is ours to do, or shows as frames that are missing.
      response.on('error', () => undefined);
      // The first bytes say that the stream has begun: from here on nothing is missed.
      response.once('data', () => resolve(response));
    }).on('error', reject);
  });
}
