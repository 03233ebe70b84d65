import { checkServerName, type ToolIdentity, wireName } from '#policy';
import type { AgentMeta, Declaration, Runtime } from '#transcripts';
import type { LiveTool } from './live-tool.js';

/** What an external host registered, for agents that are shown it as it stands; null where our registry says what is declared. */
export function hostDeclarations(meta: AgentMeta, runtime: Runtime): readonly Declaration[] | null {
  return (meta.launch?.definition ?? null) === null ? runtime.declarations : null;
}

/**
 * The tools behind the declarations of a host, by the names it declared and in its order: ours where one bears the name, else one
 * that only the host can run (spec 03 §3). A tool of ours that the host did not declare is not among them: what was not sent is
 * not there.
 */
export function hostTools(
  declarations: readonly Declaration[],
  ours: ReadonlyMap<string, LiveTool>,
): ReadonlyMap<string, LiveTool> {
  return new Map(
    declarations.map((declaration) => [
      declaration.name,
      ours.get(declaration.name) ?? onlyOfTheHost(declaration),
    ]),
  );
}

const onlyOfTheHost = ({ name, description, parameters }: Declaration): LiveTool => ({
  identity: identityOf(name),
  description,
  parameters,
  readOnly: false,
  idempotent: false,
  executable: false,
});

/** A host names tools of its servers as we do, or as it likes; entries of lists match the former. */
function identityOf(name: string): ToolIdentity {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  if (server === undefined || tool === undefined || !checkServerName(server).ok) return { name };
  const identity = { server, tool };
  return wireName(identity) === name ? identity : { name };
}
