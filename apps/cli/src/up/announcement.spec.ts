import { expect, it } from '@jest/globals';
import { announcement } from './announcement.js';

const started = { address: 'http://127.0.0.1:4400' };

it('a start says where it is reached, and where its key is', () => {
  expect(announcement({ ...started, keyFile: '/data/admin.key' }, 2)).toBe(
    'Offshoot runs at http://127.0.0.1:4400\nThe admin key is in /data/admin.key\nStop it with Ctrl-C.\n',
  );
  const dashboardUrl = `${started.address}/login?token=x`;
  expect(announcement({ ...started, dashboardUrl }, 1)).toContain(`Offshoot runs at ${dashboardUrl}\n`);
});

it('a start without workers says that nobody runs agents here, and one with a worker does not', () => {
  expect(announcement(started, 0)).toMatch(/^NO WORKER RUNS HERE \(OFFSHOOT_WORKERS=0\): .+\.$/m);
  expect(announcement(started, 1)).not.toContain('WORKER');
});
