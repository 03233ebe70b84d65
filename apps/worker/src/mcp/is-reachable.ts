import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { isUnreachable } from './classify-fault.js';

const PING_MS = 2_000;

/** False when a ping cannot be delivered or its session is gone. A server too busy to answer it is reachable. */
export function isReachable(client: Client): Promise<boolean> {
  return client.ping({ timeout: PING_MS }).then(
    () => true,
    (thrown: unknown) => !isUnreachable(thrown),
  );
}
