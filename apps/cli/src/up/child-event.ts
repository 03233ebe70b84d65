/** The parts that the supervisor runs. */
export type ChildRole = 'database' | 'orchestrator' | 'worker' | 'model-server';

/** Something that happened to a part. `index` tells the workers apart, from 0. */
export type ChildEvent = { readonly role: ChildRole; readonly index: number; readonly pid: number } & (
  | { readonly kind: 'started' }
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly respawnInMs?: number;
    }
);

/** Hears what happens to the parts. */
export type ChildListener = (event: ChildEvent) => void;
