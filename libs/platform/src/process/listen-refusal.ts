import { createServer } from 'node:net';
import { errorCode } from '../errors/error-code.js';
import { StartRefusedError } from './start-refused-error.js';

/** Where a server is to listen; port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Throws `StartRefusedError` when nobody could listen there now: before anything else is started for it. */
export async function checkListenAddress(address: ListenAddress): Promise<void> {
  if (address.port === 0) return;
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen(address.port, address.host, resolve);
    });
  } catch (error) {
    throw listenRefusal(error, address) ?? error;
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** What a failure to listen means for whoever set `HOST` and `PORT`; null for any other fault. */
export function listenRefusal(error: unknown, { host, port }: ListenAddress): StartRefusedError | null {
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartRefusedError(`${at} is taken; set PORT to another.`, { cause: error });
    case 'EACCES':
      return new StartRefusedError(
        `${at} may not be used by this account (EACCES); set PORT to one from 1024.`,
        {
          cause: error,
        },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartRefusedError(`HOST=${host} is no address of this machine; set it to 127.0.0.1.`, {
        cause: error,
      });
    default:
      return null;
  }
}
