import type { ToolIdentity } from '#policy';

/** The size that the goals speak of: 500 declared tools against a list of 1,000 entries. */
export interface Workload {
  readonly tools: readonly ToolIdentity[];
  readonly entries: readonly string[];
}

const SERVERS = 20;
const TOOLS_PER_SERVER = 23;
const BUILT_INS = 40;
const ENTRIES = 1_000;

const server = (index: number): string => `server-${index}`;
const verbs = ['read', 'list', 'search', 'create', 'update', 'delete'];
const toolName = (index: number): string => `${verbs[index % verbs.length] ?? ''}_thing_${index}`;

/**
 * A mixed workload without chance in it: half of the built-ins listed; of the servers some listed whole, some by prefix, some
 * tool by tool, some not at all; the rest of the list names tools that are not there, and stands in front, as a list
 * written for a larger surface would be.
 */
export function gateWorkload(): Workload {
  const builtIns = Array.from({ length: BUILT_INS }, (_, index) => ({ name: `builtin_tool_${index}` }));
  const mcp = Array.from({ length: SERVERS * TOOLS_PER_SERVER }, (_, index) => ({
    server: server(Math.floor(index / TOOLS_PER_SERVER)),
    tool: toolName(index % TOOLS_PER_SERVER),
  }));
  const listed = [
    ...builtIns.filter((_, index) => index % 2 === 0).map(({ name }) => name),
    ...Array.from({ length: SERVERS }, (_, index) => entriesOf(index)).flat(),
  ];
  const absent = Array.from(
    { length: ENTRIES - listed.length },
    (_, index) => `mcp__absent-${index % 50}__${toolName(index)}`,
  );
  return { tools: [...builtIns, ...mcp], entries: [...absent, ...listed] };
}

function entriesOf(index: number): readonly string[] {
  const name = server(index);
  switch (index % 4) {
    case 0:
      return [`mcp__${name}`];
    case 1:
      return [`mcp__${name}__read_*`, `mcp__${name}__list_*`];
    case 2:
      return Array.from({ length: 12 }, (_, tool) => `mcp__${name}__${toolName(tool * 2)}`);
    default:
      return [];
  }
}

/** What the model calls, in an order that no cache can guess: every declared name, and one undeclared among nine. */
export function calledNames(declared: readonly string[]): readonly string[] {
  const names = declared.flatMap((name, index) => (index % 8 === 0 ? [name, `${name}_undeclared`] : [name]));
  // A step that shares no factor with the length visits every name once.
  const step = 389;
  return names.map((_, index) => names[(index * step) % names.length] ?? '');
}
