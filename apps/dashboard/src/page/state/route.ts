/** What the page shows, as its address says it. */
export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'agent'; readonly id: string }
  | { readonly view: 'approvals' };

/** Reads the fragment of the address; anything unknown is home. */
export function parseRoute(hash: string): Route {
  const [view, id] = hash.replace(/^#?\/?/, '').split('/');
  if (view === 'agents' && id !== undefined && id !== '') return { view: 'agent', id: decoded(id) };
  return view === 'approvals' ? { view: 'approvals' } : { view: 'home' };
}

/** The fragment of a route; `parseRoute` reads it back. */
export function printRoute(route: Route): string {
  switch (route.view) {
    case 'home':
      return '#/';
    case 'approvals':
      return '#/approvals';
    case 'agent':
      return `#/agents/${encodeURIComponent(route.id)}`;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
