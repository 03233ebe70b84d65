// Stands for each of the real programs: says who it is, does what FAKE_* variables say, ends as the real ones do.
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';

const [role, ...rest] = process.argv
  .slice(1)
  .map((text, place) => (place === 0 ? text.replace(/^.*fake-|\.mjs$/g, '') : text));
const say = (line) =>
  appendFileSync(process.env.FAKE_LOG, `${JSON.stringify({ role, pid: process.pid, ...line })}\n`);

const end = (why) => {
  say({ ended: why });
  process.exit(0);
};

const { DATABASE_URL, OFFSHOOT_DATA_DIR, OFFSHOOT_API_KEY, OFFSHOOT_SCRIPTED_BASE_URL } = process.env;
say({
  started: rest,
  env: { DATABASE_URL, OFFSHOOT_DATA_DIR, OFFSHOOT_API_KEY, OFFSHOOT_SCRIPTED_BASE_URL },
});
process.on('disconnect', () => end('disconnect'));
// A supervisor that was killed before this line is never announced.
if (process.connected === false) end('disconnect');
process.on('SIGTERM', () => {
  if (role === process.env.FAKE_DEAF) say({ deaf: true });
  else end('SIGTERM');
});

const listen = (then) => {
  const server = createServer((_request, response) => response.end('{}'));
  server.listen(Number(rest[1] ?? 0), '127.0.0.1', () => then(`http://127.0.0.1:${server.address().port}`));
};

if (existsSync(`${process.env.FAKE_LOG}.fail-${role}`)) process.exit(3);
else if (role === 'migrate') process.exit(0);
else if (role === 'orchestrator') {
  listen((address) =>
    process.send({ type: 'listening', address, dashboardUrl: `${address}/login?token=once` }),
  );
} else if (role === 'model-server') listen((listening) => console.log(JSON.stringify({ listening })));
else setInterval(() => undefined, 1000);
