import type { Allowlist } from '../allowlist/parse-allowlist.js';
import type { ToolSurface } from '../surface/resolve-surface.js';
import { isMcpTool } from '../tool-identity.js';
import { hasDigestName } from '../wire-name.js';
import type { WireBinding } from './wire-binding.js';

/**
 * Binds the entries that are digest-bearing wire names of declared tools to the tools they mean now, in list order, once
 * each (spec 02 §2). A declared name belongs to one tool only, so an entry bound here has no raw meaning on this surface.
 * Without a surface nothing is bound and every entry counts as a raw form.
 */
export function bindWireNames(allowlist: Allowlist, surface: ToolSurface | null): readonly WireBinding[] {
  const bindings = new Map<string, WireBinding>();
  for (const { text } of allowlist.entries) {
    const identity = surface?.declared.get(text);
    if (identity === undefined || !isMcpTool(identity) || !hasDigestName(identity)) continue;
    bindings.set(text, { wireName: text, server: identity.server, tool: identity.tool });
  }
  return [...bindings.values()];
}
