import { endWithSupervisor } from '../end-with-supervisor.js';

// Lives until it is told to end; says over standard output that it ended in order.
const heartbeat = setInterval(() => undefined, 1000);
endWithSupervisor(() => {
  clearInterval(heartbeat);
  process.stdout.write('closed\n');
  return Promise.resolve();
});
process.stdout.write('ready\n');
