import { stat } from 'node:fs/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { chunkMessages, importHistory } from '#agents';
import { type EventData, executeCommand, openSession } from '#transcripts';
import { assertSameBody } from '../../http/parse-request.js';
import { EdgeCode, orProblem, ProblemError } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogTools } from '../../log/log-tools.js';
import { OpenSessionCommand } from './open-session.command.js';
import type { OpenSessionRequest } from './open-session.request.js';
import { runtimeOf } from './runtime-of.js';

/** Parse is done; here: read the history, check the workspace, decide, append. */
@CommandHandler(OpenSessionCommand)
export class OpenSessionHandler implements ICommandHandler<OpenSessionCommand> {
  constructor(private readonly tools: LogTools) {}

  async execute(command: OpenSessionCommand): Promise<{ readonly id: string }> {
    const { request, origin } = command;
    const id = this.tools.newId();
    await assertFolder(request.projectRoot);
    const opened = {
      sessionId: id,
      ...(request.title === undefined ? {} : { title: request.title }),
      runtime: runtimeOf(request),
      limits: request.limits ?? {},
    };
    const history = historyOf(request, this.tools.newId);
    const result = orProblem(
      await executeCommand(this.tools, {
        stream: id,
        ...envelopeOf(origin),
        decide: (meta) => openSession({ opened, history }, meta),
      }),
    );
    if (result.duplicate === undefined) return { id };
    assertSameBody(origin.idempotency, result.duplicate.bodyHash);
    return { id: result.duplicate.stream };
  }
}

function historyOf(
  request: OpenSessionRequest,
  newId: () => string,
): readonly EventData<'MessageAppended'>[] {
  if (request.history === undefined) return [];
  const imported = importHistory(request.history, request.model);
  if (!imported.ok) throw new ProblemError(EdgeCode.REQUEST_INVALID, `history: ${imported.message}`);
  return chunkMessages(imported.messages).map((messages) => ({
    messageId: newId(),
    source: 'history',
    run: false,
    messages: [...messages],
  }));
}

async function assertFolder(projectRoot: string): Promise<void> {
  const isFolder = await stat(projectRoot).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new ProblemError(
      EdgeCode.REQUEST_INVALID,
      `projectRoot: "${projectRoot}" is not a folder on this machine.`,
    );
}
