import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// A process of its own: `node bare-sse-server.js <database url>`; says its port over the process channel and ends with it.
const clients = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': welcome\n\n');
  clients.add(response);
  response.on('close', () => clients.delete(response));
});
const database = new pg.Client({ connectionString: process.argv[2] ?? '' });
await database.connect();
database.on('notification', ({ payload = '' }) => {
  const frame = `data: ${payload}\n\n`;
  for (const client of clients) client.write(frame);
});
await database.query('listen bare_event');
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
