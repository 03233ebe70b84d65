import type { DeathCause } from './death-cause.js';
import type { ObserverTiming } from './presence-timing.js';

/** What one look saw of one worker. Times in milliseconds on the database's clock. */
export interface Sighting {
  readonly workerId: string;
  readonly lockHeld: boolean;
  readonly leaseOver: boolean;
  /** Since its last renewal. */
  readonly silentMs: number;
  /** Set when somebody declared it dead. */
  readonly deathCause: DeathCause | null;
}

interface Missing {
  readonly sinceMs: number;
  readonly cause: DeathCause;
}

/** What an observer remembers from look to look. */
export interface Watch {
  /** Start of the unbroken watch. */
  readonly sinceMs: number;
  readonly lastLookMs: number;
  readonly holders: ReadonlySet<string>;
  readonly missing: ReadonlyMap<string, Missing>;
}

/** What a look amounts to: whom to declare dead, and whom somebody else declared dead. */
export interface Judgement {
  readonly watch: Watch;
  readonly suspects: readonly Death[];
  readonly declared: readonly Death[];
}

/** One worker and why it counts as dead. */
export interface Death {
  readonly workerId: string;
  readonly cause: DeathCause;
}

/** A watch that begins with a new session: it remembers nothing. */
export function beginWatch(nowMs: number): Watch {
  return { sinceMs: nowMs, lastLookMs: nowMs, holders: new Set(), missing: new Map() };
}

/**
 * Judges one look. Nobody is suspected before the watch is older than the grace, so that a restarted database has its workers
 * back first; a gap between two looks begins the watch anew, since after a suspended machine all leases look run out. A
 * missing lock must be confirmed look after look; a lease that ran out under a held lock is enough by itself.
 */
export function judgeWorkers(
  watch: Watch,
  sightings: readonly Sighting[],
  nowMs: number,
  timing: ObserverTiming,
): Judgement {
  const hasGap = nowMs - watch.lastLookMs > timing.graceMs || nowMs < watch.lastLookMs;
  const before = hasGap ? beginWatch(nowMs) : watch;
  const living = sightings.filter(({ deathCause }) => deathCause === null);
  const missing = new Map(
    living
      .filter(({ lockHeld }) => !lockHeld)
      .map((seen) => [seen.workerId, missingSince(before, seen, nowMs, timing)]),
  );
  const holders = new Set(living.filter(({ lockHeld }) => lockHeld).map(({ workerId }) => workerId));
  const mayJudge = nowMs - before.sinceMs >= timing.graceMs;
  return {
    watch: { sinceMs: before.sinceMs, lastLookMs: nowMs, holders, missing },
    suspects: mayJudge ? living.flatMap((seen) => suspicion(seen, missing, nowMs, timing)) : [],
    declared: sightings.flatMap(({ workerId, deathCause }) =>
      deathCause === null ? [] : [{ workerId, cause: deathCause }],
    ),
  };
}

function missingSince(watch: Watch, seen: Sighting, nowMs: number, timing: ObserverTiming): Missing {
  const known = watch.missing.get(seen.workerId);
  if (known !== undefined) {
    return known;
  }
  // Only one who saw the lock go knows whether the renewals had stopped before it went.
  const sawItGo = watch.holders.has(seen.workerId);
  const cause = sawItGo && seen.silentMs > timing.timeoutMs + timing.pollMs ? 'cut' : 'crashed';
  return { sinceMs: nowMs, cause };
}

function suspicion(
  seen: Sighting,
  missing: ReadonlyMap<string, Missing>,
  nowMs: number,
  timing: ObserverTiming,
): readonly Death[] {
  const gone = missing.get(seen.workerId);
  if (gone === undefined) {
    return seen.leaseOver ? [{ workerId: seen.workerId, cause: 'frozen' }] : [];
  }
  return nowMs - gone.sinceMs >= timing.confirmMs ? [{ workerId: seen.workerId, cause: gone.cause }] : [];
}
