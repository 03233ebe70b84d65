import { parseArgs } from 'node:util';
import type { ModelServerOptions } from './start-model-server.js';

function wholeNumber(name: string, text: string, max: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > max) {
    throw new Error(`${name} must be a whole number up to ${max}, not '${text}'`);
  }
  return Number(text);
}

/** Command line and environment → options. The command line wins; throws on what it does not know. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ModelServerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      scripts: { type: 'string' },
      record: { type: 'string' },
      window: { type: 'string' },
    },
  });
  const scripts = values.scripts ?? environment['MODEL_SERVER_SCRIPTS'];
  return {
    port: wholeNumber('--port', values.port ?? environment['MODEL_SERVER_PORT'] ?? '0', 65_535),
    ...(scripts !== undefined && { scriptsDirectory: scripts }),
    ...(values.record !== undefined && { recordDirectory: values.record }),
    ...(values.window !== undefined && {
      windowTokens: wholeNumber('--window', values.window, 1_000_000_000),
    }),
  };
}
