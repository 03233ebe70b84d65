// A process that holds the servers of one session until it is ended. Usage: node pool-owner.cjs <mcpServers as JSON>
import { defaultDeadlines } from '../mcp-options.js';
import { McpPool } from '../mcp-pool.js';

const pool = new McpPool({
  childEnvironment: { PATH: process.env['PATH'] ?? '' },
  referenced: {},
  deadlines: defaultDeadlines,
  trusts: () => false,
  onFault: (server, problem) => process.stderr.write(`${server}: ${problem}\n`),
});

async function hold(mcpServers: string): Promise<void> {
  const offer = await pool.resolve({ sessionId: 's', projectRoot: '/tmp', mcpServers });
  process.stdout.write(`${offer.tools.length} tools\n`);
}

process.on('SIGTERM', () => void pool.close().then(() => process.exit(0)));
setInterval(() => undefined, 60_000);
void hold(process.argv[2] ?? '{}');
