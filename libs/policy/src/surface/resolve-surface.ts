import { isRegistrableServer } from '../server-name.js';
import { isMcpTool, isSameTool, type ToolIdentity } from '../tool-identity.js';
import { wireName } from '../wire-name.js';

/** Why a tool is not declared: it shares its wire name with another, or its server may not register. */
export type WithheldReason = 'wire_name_collision' | 'server_name';

/** A tool left out of the surface, to be reported. */
export interface WithheldTool {
  readonly identity: ToolIdentity;
  readonly wireName: string;
  readonly reason: WithheldReason;
}

interface NamedTool {
  readonly identity: ToolIdentity;
  readonly wireName: string;
}

/** The tools that exist right now: what is declared, by wire name in input order, and what is withheld. */
export interface ToolSurface {
  readonly declared: ReadonlyMap<string, ToolIdentity>;
  readonly withheld: readonly WithheldTool[];
}

/**
 * Gives every tool its wire name (spec 02 §2). Tools with one wire name are all withheld, whatever the order they came in; a
 * tool given twice is one tool. A tool of a server that may not register is withheld too, and blocks no other.
 */
export function resolveSurface(tools: readonly ToolIdentity[]): ToolSurface {
  const named = tools.map((identity) => ({ identity, wireName: wireName(identity) }));
  const claims = claimsOf(named);
  const declared = new Map<string, ToolIdentity>();
  const withheld: WithheldTool[] = [];
  for (const { identity, wireName: name } of named) {
    const reason = reasonToWithhold(identity, claims.get(name) ?? []);
    if (reason !== null) withheld.push({ identity, wireName: name, reason });
    else if (!declared.has(name)) declared.set(name, Object.freeze({ ...identity }));
  }
  return Object.freeze({ declared, withheld: Object.freeze(withheld) });
}

/** The distinct tools that claim each wire name. */
function claimsOf(named: readonly NamedTool[]): ReadonlyMap<string, readonly ToolIdentity[]> {
  const claims = new Map<string, ToolIdentity[]>();
  for (const { identity, wireName: name } of named) {
    if (!mayRegister(identity)) continue;
    const claimants = claims.get(name) ?? [];
    if (!claimants.some((other) => isSameTool(other, identity))) claimants.push(identity);
    claims.set(name, claimants);
  }
  return claims;
}

function reasonToWithhold(identity: ToolIdentity, claimants: readonly ToolIdentity[]): WithheldReason | null {
  if (!mayRegister(identity)) return 'server_name';
  return claimants.length > 1 ? 'wire_name_collision' : null;
}

function mayRegister(identity: ToolIdentity): boolean {
  return !isMcpTool(identity) || isRegistrableServer(identity.server);
}
