import { useEffect, useState } from 'preact/hooks';
import type { Store } from '../io/store.js';

/** The store's state; the component is rendered again after each change. */
export function useStore<State>(store: Store<State>): State {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    // A change between the first rendering and this subscription would otherwise be missed.
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, [store]);
  return state;
}
