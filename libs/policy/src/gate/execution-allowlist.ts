import { isMcpTool, type McpTool, type ToolIdentity } from '../tool-identity.js';
import type { ListPolicy } from '../stored/stored-policy.js';
import { type AllowlistEntry, parseAllowlistEntry } from '../allowlist/allowlist-entry.js';
import { PrefixSet } from '../allowlist/prefix-set.js';

interface ServerEntries {
  whole: string | null;
  readonly tools: Map<string, string>;
  readonly prefixes: string[];
  prefixSet: PrefixSet | null;
}

/**
 * A stored list indexed for matching: which entry, if any, permits a tool. Bound entries mean their bound tool and nothing
 * else; every other entry means its raw form (spec 02 §2). Throws when an entry is malformed, which `parseStoredPolicy`
 * rules out: a list that cannot be read must stop the run, not match less or more.
 */
export class ExecutionAllowlist {
  readonly isEmpty: boolean;
  readonly #names = new Set<string>();
  readonly #servers = new Map<string, ServerEntries>();
  #allMcp: string | null = null;

  constructor(policy: ListPolicy) {
    this.isEmpty = policy.entries.length === 0;
    const bound = new Map(policy.bindings.map((binding) => [binding.wireName, binding]));
    for (const text of policy.entries) {
      const binding = bound.get(text);
      if (binding === undefined) this.#add(text);
      else this.#server(binding.server).tools.set(binding.tool, text);
    }
  }

  /** The entry that permits the tool, as written, or null. The narrowest kind of entry is named first. */
  entryFor(identity: ToolIdentity): string | null {
    if (!isMcpTool(identity)) return this.#names.has(identity.name) ? identity.name : null;
    return this.#entryForMcp(identity);
  }

  #entryForMcp({ server, tool }: McpTool): string | null {
    const entries = this.#servers.get(server);
    if (entries === undefined) return this.#allMcp;
    return entries.tools.get(tool) ?? entries.whole ?? prefixEntry(server, tool, entries) ?? this.#allMcp;
  }

  #add(text: string): void {
    const parsed = parseAllowlistEntry(text);
    if (!parsed.ok) throw new TypeError('A stored list holds an entry that no launch accepts.');
    // Any text without a star may be the registry name of a built-in.
    if (!text.includes('*')) this.#names.add(text);
    this.#addMcp(parsed.entry);
  }

  #addMcp(entry: AllowlistEntry): void {
    switch (entry.kind) {
      case 'name':
        return;
      case 'all_mcp':
        this.#allMcp = entry.text;
        return;
      case 'server':
        this.#server(entry.server).whole = entry.text;
        return;
      case 'tool':
        this.#server(entry.server).tools.set(entry.tool, entry.text);
        return;
      case 'prefix':
        this.#server(entry.server).prefixes.push(entry.prefix);
    }
  }

  #server(server: string): ServerEntries {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    const entries: ServerEntries = { whole: null, tools: new Map(), prefixes: [], prefixSet: null };
    this.#servers.set(server, entries);
    return entries;
  }
}

function prefixEntry(server: string, tool: string, entries: ServerEntries): string | null {
  if (entries.prefixes.length === 0) return null;
  entries.prefixSet ??= new PrefixSet(entries.prefixes);
  const prefix = entries.prefixSet.covering(tool);
  return prefix === null ? null : `mcp__${server}__${prefix}*`;
}
