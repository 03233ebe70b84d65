import { isMcpTool, rawForm, type ToolIdentity } from '../tool-identity.js';
import { hasDigestName, wireName } from '../wire-name.js';
import { parseAllowlistEntry } from './allowlist-entry.js';

/**
 * The entry that permits exactly this tool: its raw form, or its digest-bearing wire name where the raw form is no exact entry (a star in
 * the name, white space around it), or null where a list cannot name it alone.
 */
export function exactEntry(identity: ToolIdentity): string | null {
  const raw = rawForm(identity);
  if (!raw.includes('*') && parseAllowlistEntry(raw).ok) return raw;
  return isMcpTool(identity) && hasDigestName(identity) ? wireName(identity) : null;
}
