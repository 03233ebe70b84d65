import type { Tool } from '../tools/tool.js';
import { actingTools } from './acting-tools.js';
import type { BrowserPool } from './browser-pool.js';
import { lookingTools, type SaveBlob } from './looking-tools.js';

/** The eight browser tools over a pool, by name; none where there is no pool. */
export function browserTools(pool: BrowserPool | null, saveBlob: SaveBlob): ReadonlyMap<string, Tool> {
  if (pool === null) return new Map();
  const tools = [...lookingTools(pool, saveBlob), ...actingTools(pool)];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
