import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { parseWebAddress } from './parse-web-address.js';
import { isPublicAddress } from './public-address.js';

/** How names become addresses, and which addresses may be talked to. */
export interface WebNetwork {
  resolve(hostname: string): Promise<readonly { readonly address: string; readonly family: number }[]>;
  permits(address: string): boolean;
}

/** The public internet and nothing else. */
export const PUBLIC_WEB: WebNetwork = {
  resolve: (hostname) => lookup(hostname, { all: true }),
  permits: isPublicAddress,
};

/** An answer of a server; `body` is cut at the limit. */
export interface FetchedPage {
  readonly ok: true;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** Why there is no answer, in words for the model. */
export interface FetchProblem {
  readonly ok: false;
  readonly problem: string;
}

const MOST_REDIRECTS = 5;
const LARGEST_BYTES = 5_242_880;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'Offshoot',
};

function problem(text: string): FetchProblem {
  return { ok: false, problem: text };
}

/** A look-up cannot be cancelled, but nobody has to wait for it. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Resolves once and refuses the name if any of its addresses is not permitted; the connection then goes to that very address. */
async function pinAddress(
  url: URL,
  network: WebNetwork,
  signal: AbortSignal,
): Promise<{ ok: true; lookup: LookupFunction } | FetchProblem> {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(hostname);
  const addresses =
    family === 0 ? await untilAborted(network.resolve(hostname), signal) : [{ address: hostname, family }];
  const [first] = addresses;
  if (first === undefined || !addresses.every(({ address }) => network.permits(address)))
    return problem(
      `${url.hostname} is not on the public internet: private, loopback and link-local addresses are not fetched.`,
    );
  const pinned: LookupFunction = (_hostname, options, callback) => {
    if (options.all === true) callback(null, [first]);
    else callback(null, first.address, first.family);
  };
  return { ok: true, lookup: pinned };
}

function sendRequest(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(url, { ...options, headers: HEADERS, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

async function readBody(response: IncomingMessage): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BYTES) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, LARGEST_BYTES), isCut: size > LARGEST_BYTES };
}

async function fetchOnce(
  url: URL,
  network: WebNetwork,
  signal: AbortSignal,
): Promise<FetchedPage | FetchProblem | { redirect: string }> {
  const pinned = await pinAddress(url, network, signal);
  if (!pinned.ok) return pinned;
  const response = await sendRequest(url, { lookup: pinned.lookup, signal });
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (REDIRECTS.has(status) && location !== undefined) {
    response.destroy();
    return { redirect: location };
  }
  const contentType = response.headers['content-type'] ?? 'text/plain';
  return { ok: true, url: url.href, status, contentType, ...(await readBody(response)) };
}

/**
 * Gets a page over http or https. Every address on the way, redirects included, is resolved once, judged, and
 * then connected to by its number, so that a name cannot mean one thing to the check and another to the
 * connection. Rejects for network errors and when the signal is aborted.
 */
export async function fetchPage(
  address: string,
  network: WebNetwork,
  signal: AbortSignal,
): Promise<FetchedPage | FetchProblem> {
  let url = parseWebAddress(address);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (!(url instanceof URL)) return url;
    signal.throwIfAborted();
    const answer = await fetchOnce(url, network, signal);
    if (!('redirect' in answer)) return answer;
    url = parseWebAddress(answer.redirect, url.href);
  }
  return problem(`More than ${MOST_REDIRECTS} redirects: the address leads nowhere.`);
}
