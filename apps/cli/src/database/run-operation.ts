import { fork } from 'node:child_process';
import * as z from 'zod';
import { childEnvironment } from '#platform';
import { builtPrograms } from '../up/programs.js';
import { OperationFailedError } from './operation-failed-error.js';
import { OperationRefusedError } from './operation-refused-error.js';
import type { ShowProgress } from './show-progress.js';

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), text: z.string() }),
  z.object({ type: z.literal('done'), result: z.unknown() }),
  z.object({ type: z.literal('refused'), code: z.string(), message: z.string() }),
]);

/**
 * Runs an operating program over a database and answers its result, as that program promised it. Throws `OperationRefusedError` for what it
 * refused, `OperationFailedError` when it ends without an answer.
 */
export function runOperation<Result>(
  databaseUrl: string,
  operation: object,
  progress: ShowProgress,
): Promise<Result> {
  const env = childEnvironment({ DATABASE_URL: databaseUrl });
  return new Promise((resolve, reject) => {
    const child = fork(builtPrograms().operate, [JSON.stringify(operation)], {
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (given) => {
      const message = Message.parse(given);
      if (message.type === 'progress') progress(message.text);
      if (message.type === 'done') resolve(message.result as Result);
      if (message.type === 'refused') reject(new OperationRefusedError(message.code, message.message));
    });
    child.once('error', (cause) =>
      reject(new OperationFailedError('The work could not be begun.', { cause })),
    );
    child.once('exit', (code, signal) =>
      reject(
        new OperationFailedError(`The work ended with ${code ?? signal ?? 'nothing'} before it was done.`),
      ),
    );
  });
}
