import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { TestSystem } from '../e2e/start-system.js';

type Reach = Pick<TestSystem, 'api' | 'key'>;

/** Opens a stream of events of one agent behind a cursor; the caller reads it, or does not. */
export function openEvents(
  { api, key }: Reach,
  agentId: string,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${key}`, ...headers }, agent: false };
    get(`${api.address}/v1/agents/${agentId}/events`, options, resolve).once('error', reject);
  });
}

/** Reads a stream of events, in either form, until version `last` came; answers how many came one behind the other from 1. */
export async function readVersions(response: IncomingMessage, last: number): Promise<number> {
  let version = 0;
  for await (const line of createInterface({ input: response })) {
    // The envelope stands before the payload, so this is not a text of the agent.
    const found = /^(?:data: )?\{"specversion".{1,400}?"streamversion":(\d+)/.exec(line)?.[1];
    if (found === undefined) continue;
    if (Number(found) !== version + 1) throw new Error(`Version ${found} came behind version ${version}.`);
    version += 1;
    if (version === last) break;
  }
  response.destroy();
  return version;
}

interface TranscriptPage {
  readonly records: readonly { readonly version: number }[];
  readonly next: string | null;
}

/** Reads a transcript page by page, each as long as it gets; answers how many records came one behind the other, and the longest page. */
export async function readTranscript({ api }: Reach, agentId: string) {
  let [version, longestPage] = [0, 0];
  for (let after: string | null = ''; after !== null;) {
    const page: TranscriptPage = await api.get<TranscriptPage>(
      `/v1/agents/${agentId}/transcript?limit=1000000000${after}`,
    );
    for (const record of page.records) if (record.version === version + 1) version += 1;
    longestPage = Math.max(longestPage, page.records.length);
    after = page.next === null ? null : `&after=${page.next}`;
  }
  return { version, longestPage };
}
