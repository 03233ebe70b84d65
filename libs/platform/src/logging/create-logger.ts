import pino, { type DestinationStream, type Logger } from 'pino';
import { redact, redacted, redactText } from './redact.js';

export type { Logger } from 'pino';

/** Where and how much is logged. */
export interface LoggerOptions {
  /** Default: `OFFSHOOT_LOG_LEVEL` as read by the configuration, else `info`. */
  readonly level?: string;
  /** Default: standard error, so that standard output stays free for answers. */
  readonly destination?: DestinationStream;
}

/**
 * A logger that writes one JSON object a line under `name`. Keys, bearer tokens and passwords are removed
 * from fields and messages (SEC-1). Bind ids with `logger.child({ agent, run, epoch, request })`.
 */
export function createLogger(name: string, options: LoggerOptions = {}): Logger {
  return pino(
    {
      name,
      level: options.level ?? 'info',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        bindings: (bindings) => redact(bindings) as Record<string, unknown>,
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      serializers: { err: (error: unknown) => error },
      // Fields bound by child() pass no formatter; the names are enough at this level.
      redact: {
        paths: ['authorization', 'cookie', 'token', 'password', 'secret', 'apiKey'],
        censor: redacted,
      },
      // The finished line: whatever way a text took into it.
      hooks: { streamWrite: redactText },
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
