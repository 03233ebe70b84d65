import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { importHistory } from '#agents';
import { appendMessages, executeCommand, type Message } from '#transcripts';
import { AgentAccess } from '../../agents/agent-access.js';
import { assertSameBody } from '../../http/parse-request.js';
import { EdgeCode, orProblem, ProblemError } from '../../http/problem.js';
import { envelopeOf } from '../../http/request-origin.js';
import { LogCursors } from '../../log/log-cursors.js';
import { LogTools } from '../../log/log-tools.js';
import { AppendMessagesCommand } from './append-messages.command.js';
import type { AppendMessagesRequest } from './append-messages.request.js';

@CommandHandler(AppendMessagesCommand)
export class AppendMessagesHandler implements ICommandHandler<AppendMessagesCommand> {
  constructor(
    private readonly tools: LogTools,
    private readonly access: AgentAccess,
    private readonly cursors: LogCursors,
  ) {}

  async execute(command: AppendMessagesCommand): Promise<{ readonly cursor: string }> {
    const { sessionId, request, origin } = command;
    const from = await this.access.load(sessionId, origin.principal);
    const append = { messageId: this.tools.newId(), ...contentOf(request, from.runtime?.model ?? '') };
    const result = orProblem(
      await executeCommand(this.tools, {
        stream: sessionId,
        from,
        ...envelopeOf(origin),
        decide: (meta) => appendMessages(append, meta),
      }),
    );
    assertSameBody(origin.idempotency, result.duplicate?.bodyHash ?? null);
    const version = result.duplicate?.version ?? result.head.version;
    const [event] = (await this.tools.store.readStream(sessionId, version - 1, 1)).events;
    if (event === undefined)
      throw new Error(`Event ${version} of session ${sessionId} was appended and is not there.`);
    return { cursor: await this.cursors.format(event.place) };
  }
}

function contentOf(
  request: AppendMessagesRequest,
  model: string,
): {
  source: 'user' | 'history';
  run: boolean;
  messages: readonly Message[];
} {
  if ('text' in request)
    return {
      source: 'user',
      run: true,
      messages: [{ role: 'user', blocks: [{ type: 'text', text: request.text }] }],
    };
  const imported = importHistory(request.history, model);
  if (!imported.ok) throw new ProblemError(EdgeCode.REQUEST_INVALID, `history: ${imported.message}`);
  return { source: 'history', run: false, messages: imported.messages };
}
