// A process that holds a page open until it is ended. Usage: node browser-owner.cjs <chromium> <address>
import { openChromium } from '../open-chromium.js';
import { BrowserPool } from '../browser-pool.js';

const [executablePath = '', address = ''] = process.argv.slice(2);
const pool = new BrowserPool({
  launch: () => openChromium({ executablePath, env: { PATH: process.env['PATH'] ?? '' } }),
});

async function hold(): Promise<void> {
  const viewer = { agentId: 'a', lineage: [], signal: new AbortController().signal };
  const { page } = await pool.open(viewer);
  await page.goto(address);
  process.stdout.write('open\n');
}

process.on('SIGTERM', () => void pool.close().then(() => process.exit(0)));
setInterval(() => undefined, 60_000);
void hold();
