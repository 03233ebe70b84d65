import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelCaches } from './cache/model-caches.js';
import { handleRequest } from './http/handle-request.js';
import type { ServerContext } from './http/server-context.js';
import { recordToDisk } from './recording/record-to-disk.js';
import { RequestLog } from './recording/request-log.js';
import { ErrorCounter } from './scripts/error-counter.js';
import { loadScripts } from './scripts/load-scripts.js';
import { ScriptLibrary } from './scripts/script-library.js';

const keptRequests = 10_000;
const keptBytes = 256 * 1024 * 1024;
const keptFiles = 10_000;
// Longer than clients keep a connection, so that none is closed under a request that is on its way.
const keepAliveMs = 120_000;

/** How to start. All but `port` may be left out. */
export interface ModelServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Directory of `*.json` scripts. */
  readonly scriptsDirectory?: string;
  /** Directory for one file a request. */
  readonly recordDirectory?: string;
  /** Tokens (four bytes) a request may hold; a million when absent. */
  readonly windowTokens?: number;
  readonly onFault?: (error: unknown) => void;
}

/** A running server. `close` ends open connections too and resolves when the port is free. */
export interface ModelServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function createContext(options: ModelServerOptions): Promise<ServerContext> {
  const library = new ScriptLibrary();
  if (options.scriptsDirectory !== undefined) await loadScripts(options.scriptsDirectory, library);
  const { recordDirectory } = options;
  return {
    library,
    caches: new ModelCaches(),
    log: new RequestLog({ requests: keptRequests, bytes: keptBytes }),
    errors: new ErrorCounter(),
    windowTokens: options.windowTokens ?? 1_000_000,
    record: recordDirectory === undefined ? null : await recordToDisk(recordDirectory, keptFiles),
    nowMs: () => Date.now(),
    onFault: options.onFault ?? ((error) => console.error(error)),
  };
}

/**
 * Starts the scripted model server on 127.0.0.1 and resolves once it listens. Rejects when the port is taken or a
 * script is bad.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const context = await createContext(options);
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    void handleRequest(request, response, context);
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
