import { Module } from '@nestjs/common';
import { WakeUp } from '#transcripts';
import { LogTools } from '../log/log-tools.js';
import { ProcessLogger } from '../log/process-handles.js';
import { AgentRoster } from '../projections/agent-roster/agent-roster.js';
import { EventHub } from './event-hub.js';
import { EventsController } from './events.controller.js';
import { StreamRooms } from './serve-stream.js';
import { SubjectIndex } from './subject-index.js';

@Module({
  controllers: [EventsController],
  providers: [
    {
      provide: EventHub,
      useFactory: ({ store }: LogTools, wakeUp: WakeUp, { logger }: ProcessLogger) =>
        new EventHub(store, wakeUp, new SubjectIndex(store), (thrown) =>
          logger.error({ err: thrown }, 'the tail failed; it goes on'),
        ),
      inject: [LogTools, WakeUp, ProcessLogger],
    },
    {
      provide: StreamRooms,
      useFactory: (
        { store }: LogTools,
        hub: EventHub,
        roster: AgentRoster,
        { logger }: ProcessLogger,
      ): StreamRooms => ({
        store,
        hub,
        roster,
        onFault: (thrown) => logger.warn({ err: thrown }, 'an event stream was ended; its client resumes'),
        onTooSlow: (unread) =>
          logger.warn({ unread }, 'a client of an event stream does not read; it is cut off'),
      }),
      inject: [LogTools, EventHub, AgentRoster, ProcessLogger],
    },
  ],
  exports: [EventHub],
})
export class StreamsModule {}
