import type { AddressInfo } from 'node:net';

/** The address of a listening server as this machine reaches it. */
export function addressOf(bound: AddressInfo | string | null, host: string): string {
  if (bound === null || typeof bound === 'string')
    throw new TypeError('The server does not listen on a port.');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${bound.port}`;
}
