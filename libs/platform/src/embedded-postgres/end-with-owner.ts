import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * A shell that reads from us until we are gone, however we went, and then ends the server. Its end of input
 * is the one signal that a SIGKILL cannot suppress. Answers how to call it off.
 */
export function endWithOwner(pid: number, dataDir: string): () => void {
  const script = 'cat >/dev/null; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  const watch = spawn('sh', ['-c', script, 'sh', String(pid), dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  // A system without a shell loses the safety net, nothing else.
  watch.on('error', () => undefined);
  watch.unref();
  if (watch.stdin instanceof Socket) watch.stdin.unref();
  return () => {
    watch.kill('SIGKILL');
    watch.stdin.destroy();
  };
}
