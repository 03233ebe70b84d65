import { Module } from '@nestjs/common';
import { LocalPolicyFiles, maxLaunchDepth } from '#agents';
import { LogTools } from '../log/log-tools.js';
import { ServerConfig } from '../log/server-config.js';
import { AgentsController } from './agents.controller.js';
import { CancelAgentHandler } from './cancel/cancel-agent.handler.js';
import { ForkAgentController } from './fork/fork-agent.controller.js';
import { ForkAgentHandler } from './fork/fork-agent.handler.js';
import { LaunchAgentController } from './launch/launch-agent.controller.js';
import { LaunchAgentHandler } from './launch/launch-agent.handler.js';
import { Launcher } from './launch/launcher.js';
import { MessageAgentHandler } from './message/message-agent.handler.js';
import { AgentPictureController } from './picture/agent-picture.controller.js';
import { AgentPicture } from './picture/agent-picture.js';
import { AgentAccess } from './agent-access.js';
import { GetAgentHandler } from './queries/get-agent.handler.js';
import { GetTranscriptHandler } from './queries/get-transcript.handler.js';
import { ListAgentsHandler } from './queries/list-agents.handler.js';
import { ReviveAgentHandler } from './revive/revive-agent.handler.js';

@Module({
  controllers: [AgentsController, LaunchAgentController, ForkAgentController, AgentPictureController],
  providers: [
    {
      provide: Launcher,
      useFactory: ({ store, newId, current }: LogTools, { operator }: ServerConfig) =>
        new Launcher({
          store,
          newId,
          current,
          maxDepth: maxLaunchDepth,
          files: new LocalPolicyFiles(operator),
        }),
      inject: [LogTools, ServerConfig],
    },
    {
      provide: AgentPicture,
      useFactory: (tools: LogTools, access: AgentAccess) => new AgentPicture(tools, access),
      inject: [LogTools, AgentAccess],
    },
    LaunchAgentHandler,
    ForkAgentHandler,
    CancelAgentHandler,
    ReviveAgentHandler,
    MessageAgentHandler,
    GetAgentHandler,
    ListAgentsHandler,
    GetTranscriptHandler,
  ],
})
export class AgentsModule {}
