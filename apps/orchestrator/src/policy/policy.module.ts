import { Module } from '@nestjs/common';
import { LocalPolicyFiles, PolicyFiles } from '#agents';
import { ServerConfig } from '../log/server-config.js';
import { EvaluatePolicyHandler } from './evaluate/evaluate-policy.handler.js';
import { PolicyController } from './policy.controller.js';
import { ReplayPolicyHandler } from './replay/replay-policy.handler.js';
import { SuggestPolicyHandler } from './suggest/suggest-policy.handler.js';

@Module({
  controllers: [PolicyController],
  providers: [
    {
      provide: PolicyFiles,
      useFactory: ({ operator }: ServerConfig) => new LocalPolicyFiles(operator),
      inject: [ServerConfig],
    },
    EvaluatePolicyHandler,
    SuggestPolicyHandler,
    ReplayPolicyHandler,
  ],
})
export class PolicyModule {}
