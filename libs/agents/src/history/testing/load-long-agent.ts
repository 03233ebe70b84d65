import { openPostgresLog } from '#transcripts';
import { loadAgent } from '../loaded-agent.js';

/** A process that reads agents from the log as a worker does before it claims them, and prints what it holds of each then. */
async function main(url: string, agentIds: readonly string[]): Promise<void> {
  const log = await openPostgresLog({ url });
  for (const agentId of agentIds) {
    const { meta, history } = await loadAgent(log.store, agentId);
    const { messages, openBatch } = history.build();
    const [first] = messages;
    const found = {
      version: meta.head.version,
      status: meta.status,
      messages: messages.length,
      first,
      openBatch,
    };
    process.stdout.write(`${JSON.stringify(found)}\n`);
  }
  await log.close();
}

void main(process.argv[2] ?? '', process.argv.slice(3));
