import type { AgentMeta, Runtime } from '#transcripts';
import type { McpSession } from './session-servers.js';

/** Whose servers an agent uses: its session's. An agent definition lists its tools by registry name and has none of them. */
export function mcpSessionOf(meta: AgentMeta, runtime: Runtime): McpSession {
  const hasDefinition = (meta.launch?.definition ?? null) !== null;
  return {
    sessionId: meta.launch?.sessionId ?? meta.agentId,
    projectRoot: runtime.projectRoot,
    mcpServers: hasDefinition ? '{}' : runtime.mcpServers,
  };
}
