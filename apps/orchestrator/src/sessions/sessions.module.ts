import { Module } from '@nestjs/common';
import { CloseSessionHandler } from './close/close-session.handler.js';
import { AppendMessagesHandler } from './messages/append-messages.handler.js';
import { ChangeRuntimeHandler } from './open/change-runtime.handler.js';
import { OpenSessionHandler } from './open/open-session.handler.js';
import { ReopenSessionHandler } from './reopen/reopen-session.handler.js';
import { SessionsController } from './sessions.controller.js';

@Module({
  controllers: [SessionsController],
  providers: [
    OpenSessionHandler,
    ChangeRuntimeHandler,
    AppendMessagesHandler,
    CloseSessionHandler,
    ReopenSessionHandler,
  ],
})
export class SessionsModule {}
