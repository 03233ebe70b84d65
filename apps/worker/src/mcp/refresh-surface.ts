import type { BoundSurface } from '#agents';
import type { RunContext } from '../run/run-context.js';
import { bindRegistry } from './bind-registry.js';
import { isMcpLiveTool } from './mcp-tool.js';
import { mcpSessionOf } from './session-of.js';

/**
 * At a turn boundary: when the servers offer something else than the run is bound to, binds anew and records `SurfaceChanged`
 * before the next request shows it (spec 02 §2, field cases M05, M19). A surface that cannot be bound changes nothing here; the
 * next claim says what is wrong with it. Throws `RunLostError` like every append.
 */
export async function refreshSurface(run: RunContext): Promise<void> {
  const session = mcpSessionOf(run.log.meta, run.runtime);
  if (session.mcpServers === '{}') return;
  const bound = bindRegistry(run.log.meta, run.runtime, run.services.currentTools(session));
  if (!bound.ok || look(bound) === look(run.bound)) return;
  await run.log.record({ type: 'SurfaceChanged', data: { epoch: run.epoch, surface: bound.surface } });
  run.bound = bound;
}

/** What counts as a change. The words of a reason do not: a server that stays away says so in new words each time. */
function look({ surface, tools }: BoundSurface): string {
  const withheld = surface.withheld.map(({ name, reason }) => [name, reason.split(':')[0]]);
  const digests = Array.from(tools.values(), (tool) => (isMcpLiveTool(tool) ? tool.digest : ''));
  return JSON.stringify([surface.declared, surface.fingerprints, surface.executable, withheld, digests]);
}
