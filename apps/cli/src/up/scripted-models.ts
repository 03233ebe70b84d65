import * as z from 'zod';
import { StartFailedError } from './start-failed-error.js';
import { SupervisedChild, type ChildPlan } from './supervised-child.js';

/** The scripted model server, running. */
export interface ScriptedModels {
  readonly child: SupervisedChild;
  readonly url: string;
}

const announcement = z.object({ listening: z.url() });

interface ModelServerStart {
  readonly scriptsDir: string;
  readonly timeoutMs: number;
  /** Ends the wait with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Starts the scripted model server over a folder of scripts and waits for the line in which it says where it
 * listens. When it is started again it gets the same port, because the workers know its address.
 */
export async function startScriptedModels(
  plan: Omit<ChildPlan, 'role' | 'index' | 'args' | 'onOutput'>,
  { scriptsDir, timeoutMs, signal }: ModelServerStart,
): Promise<ScriptedModels> {
  let port = '0';
  let heard = '';
  let tell: (url: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => (tell = resolve));
  const child = new SupervisedChild({
    ...plan,
    role: 'model-server',
    index: 0,
    args: () => ['--port', port, '--scripts', scriptsDir],
    onOutput: (text) => {
      heard = (heard + text).slice(-4096);
      const url = findAnnouncement(heard);
      if (url === undefined) return;
      port = new URL(url).port;
      tell(url);
    },
  });
  child.start();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const url = await Promise.race([told, late]);
  clearTimeout(timer);
  if (url !== undefined) return { child, url };
  await child.kill();
  signal.throwIfAborted();
  throw new StartFailedError(
    `The scripted model server did not say where it listens (scripts: ${scriptsDir}).`,
  );
}

function findAnnouncement(text: string): string | undefined {
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      const parsed = announcement.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data.listening;
    } catch {
      // Any other line is log.
    }
  }
  return undefined;
}
