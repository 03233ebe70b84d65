import { signal, waitForExit } from './process-state.js';

/**
 * Stops the server: first fast (sessions are ended, all is written), then at once (the next start recovers),
 * then by force. Each step has `stepMs`. Answers when the process is gone.
 */
export async function stopPostmaster(
  pid: number,
  first: 'SIGINT' | 'SIGQUIT',
  stepMs = 15_000,
): Promise<void> {
  for (const name of [first, 'SIGQUIT', 'SIGKILL'] as const) {
    signal(pid, name);
    if (await waitForExit(pid, stepMs)) return;
  }
}
