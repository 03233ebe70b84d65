type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Keywords whose schemas judge the same value as the schema they stand in. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
const FOREIGN = ['$dynamicRef', '$recursiveRef'];

/**
 * Says what is wrong with the references of a schema: one that leads out of it or to nothing, or a circle of them that never
 * gets deeper into the value, in which a validator would turn for ever (field case M17). Recursion through members or items is
 * fine. Without recursion itself.
 */
export function findReferenceFault(root: Json): string | null {
  const nodes = objectsOf(root);
  const targets = new Map<Json, Json[]>();
  for (const node of nodes) {
    const fault = foreignFault(node, root);
    if (fault !== null) return fault;
    targets.set(node, inPlaceOf(node, root));
  }
  return isCircular(nodes, targets) ? 'its references go round in a circle' : null;
}

function objectsOf(root: Json): readonly Json[] {
  const found: Json[] = [];
  const open: Json[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...Object.values(node).filter(isObject));
  }
  return found;
}

function foreignFault(node: Json, root: Json): string | null {
  if (FOREIGN.some((keyword) => typeof node[keyword] === 'string'))
    return 'it has dynamic references, which are not followed';
  const reference = node['$ref'];
  if (typeof reference !== 'string') return null;
  return isObject(pointTo(root, reference)) ? null : 'it has a reference that leads to nothing in it';
}

function inPlaceOf(node: Json, root: Json): Json[] {
  const reference = node['$ref'];
  const target = typeof reference === 'string' ? pointTo(root, reference) : undefined;
  const inPlace = IN_PLACE.flatMap((keyword) => node[keyword]);
  return [target, ...inPlace].filter(isObject);
}

/** The value at a local reference: `#` or `#/…` as a JSON pointer. */
function pointTo(root: Json, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => memberOf(at, unescapeStep(step)), root);
}

const memberOf = (at: unknown, key: string): unknown =>
  isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** Takes away, again and again, what nothing left points to; a circle is what cannot be taken away. */
function isCircular(nodes: readonly Json[], targets: ReadonlyMap<Json, readonly Json[]>): boolean {
  const pointers = new Map<Json, number>(nodes.map((node) => [node, 0]));
  for (const target of [...targets.values()].flat()) pointers.set(target, (pointers.get(target) ?? 0) + 1);
  const free = nodes.filter((node) => pointers.get(node) === 0);
  let taken = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    taken += 1;
    for (const target of targets.get(node) ?? []) {
      const left = (pointers.get(target) ?? 0) - 1;
      pointers.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  return taken < nodes.length;
}
