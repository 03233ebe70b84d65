import { bindSurface, type BoundSurface, type LiveTool, type UnboundSurface } from '#agents';
import type { AgentMeta, Runtime } from '#transcripts';
import type { Withheld } from './withheld.js';

/** The tools of a session right now, and what is configured and not among them. */
export interface ToolRegistry {
  readonly tools: readonly LiveTool[];
  readonly withheld: readonly Withheld[];
}

/** Binds the live registry under the stored policy; what a server could not offer is reported on the recorded surface. */
export function bindRegistry(
  meta: AgentMeta,
  runtime: Runtime,
  { tools, withheld }: ToolRegistry,
): BoundSurface | UnboundSurface {
  const bound = bindSurface(meta, runtime, tools);
  if (!bound.ok) return bound;
  const { surface } = bound;
  return { ...bound, surface: { ...surface, withheld: [...surface.withheld, ...withheld] } };
}
