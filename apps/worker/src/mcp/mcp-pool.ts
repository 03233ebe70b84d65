import type { ToolCall } from '../tools/tool.js';
import type { McpOptions } from './mcp-options.js';
import type { ServerTool } from './parse-tool.js';
import { serversDigest } from './server-config.js';
import { type McpOffer, type McpSession, SessionServers } from './session-servers.js';

const NO_SERVERS: McpOffer = Object.freeze({ tools: [], withheld: [] });

/**
 * The MCP connections of a worker. All runs of one session with one configuration share theirs, so that sixteen forks do not
 * start sixteen servers; sessions share none, so that no session meets the state that another left in a server.
 */
export class McpPool {
  private readonly sessions = new Map<string, SessionServers>();
  private isClosed = false;

  constructor(private readonly options: McpOptions) {}

  /** How many sessions have connections here. */
  get size(): number {
    return this.sessions.size;
  }

  /** What a session's servers offer, resolved live for a run. Never rejects for what a server does. */
  async resolve(session: McpSession): Promise<McpOffer> {
    const servers = this.serversOf(session);
    if (servers === null) return NO_SERVERS;
    await servers.refresh();
    return this.offerOf(session, servers);
  }

  /** What they offer as far as it is known by now, for the boundaries of a run. Waits for nothing. */
  current(session: McpSession): McpOffer {
    const servers = this.serversOf(session);
    return servers === null ? NO_SERVERS : this.offerOf(session, servers);
  }

  /** Ends every connection and every server that was started here. */
  async close(): Promise<void> {
    this.isClosed = true;
    const all = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(all.map((servers) => servers.end()));
  }

  private offerOf(session: McpSession, servers: SessionServers): McpOffer {
    // Through the pool and not through `servers`, which may be idle and gone when a run makes its first call.
    return servers.offer((server, tool, call) => this.call(session, server, tool, call));
  }

  private call(session: McpSession, server: string, tool: ServerTool, call: ToolCall): Promise<unknown> {
    const servers = this.serversOf(session);
    if (servers === null) throw new Error('The worker is shutting down.');
    return servers.call(server, tool, call);
  }

  private serversOf(session: McpSession): SessionServers | null {
    if (this.isClosed || session.mcpServers === '{}') return null;
    const digest = serversDigest(session);
    const known = this.sessions.get(digest);
    if (known !== undefined) return known;
    const fresh: SessionServers = new SessionServers(session, this.options, () => {
      if (this.sessions.get(digest) === fresh) this.sessions.delete(digest);
      void fresh.end();
    });
    this.sessions.set(digest, fresh);
    return fresh;
  }
}
