import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { boundedFetch } from './bounded-fetch.js';
import { isError } from './is-error.js';
import type { ServerConfig } from './server-config.js';
import { StdioTransport } from './stdio-transport.js';
import { withDeadline } from './with-deadline.js';

/** An initialised client and the way it is given up. */
export interface OpenClient {
  readonly client: Client;
  /** Ends the session with the server, or the server itself. Never rejects; waits for at most a few seconds. */
  end(): Promise<void>;
}

export interface OpenClientRequest {
  /** With its references resolved. */
  readonly config: ServerConfig;
  /** What a stdio server gets before its configuration adds to it. */
  readonly childEnvironment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly connectMs: number;
  readonly onListChanged: () => void;
  /** Gives up the attempt. */
  readonly signal: AbortSignal;
}

const LONGEST_ANSWER_BYTES = 64 * 1_048_576;
const FAREWELL_MS = 1_000;

/** Starts or dials a server and initialises a session, in time or not at all. What had been started is ended when it fails. */
export async function openClient(request: OpenClientRequest): Promise<OpenClient> {
  const transport = transportOf(request);
  // No capabilities: a server gets no sampling, no elicitation and no roots from an agent.
  const client = new Client({ name: 'offshoot', version: '0.1.0' }, { capabilities: {} });
  client.setNotificationHandler(ToolListChangedNotificationSchema, request.onListChanged);
  const end = (): Promise<void> => endClient(client, transport);
  try {
    const { connectMs, signal } = request;
    // The SDK's own time-out covers the first message only.
    const connected = client.connect(transport, { timeout: connectMs });
    await withDeadline(connected, connectMs, 'connecting', signal);
    return { client, end };
  } catch (thrown) {
    await end();
    throw withErrorTail(thrown, transport);
  }
}

type AnyTransport = StdioTransport | StreamableHTTPClientTransport;

function transportOf({ config, childEnvironment, cwd }: OpenClientRequest): AnyTransport {
  switch (config.kind) {
    case 'stdio':
      return new StdioTransport({ ...config, cwd, env: { ...childEnvironment, ...config.env } });
    case 'http':
      return new StreamableHTTPClientTransport(webAddress(config.url), {
        requestInit: { headers: { ...config.headers } },
        fetch: boundedFetch(LONGEST_ANSWER_BYTES),
      });
  }
}

function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error('the address of the server is not an http or https URL');
  return url;
}

async function endClient(client: Client, transport: AnyTransport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport)
    await withDeadline(transport.terminateSession(), FAREWELL_MS, 'ending the session').catch(
      () => undefined,
    );
  await client.close().catch(() => undefined);
  // A client whose start failed does not know its transport any more.
  await transport.close().catch(() => undefined);
}

function withErrorTail(thrown: unknown, transport: AnyTransport): unknown {
  const tail = transport instanceof StdioTransport ? transport.errorTail : '';
  if (tail === '') return thrown;
  const message = isError(thrown) ? thrown.message : String(thrown);
  return new Error(`${message}; its error output ends with: ${tail}`, { cause: thrown });
}
