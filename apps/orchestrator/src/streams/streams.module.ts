import { Module } from '@nestjs/common';
import { WakeUp } from '#transcripts';
import { LogTools } from '../log/log-tools.js';
import { ProcessLogger } from '../log/process-handles.js';
import { EventHub } from './event-hub.js';
import { EventsController } from './events.controller.js';
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
  ],
  exports: [EventHub],
})
export class StreamsModule {}
