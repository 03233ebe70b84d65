import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginWatch, judgeWorkers, type Judgement, type Sighting, type Watch } from './judge-workers.js';
import { defaultObserverTiming } from './presence-timing.js';

const timing = defaultObserverTiming;
const seen = (more: Partial<Sighting> = {}): Sighting => ({
  workerId: 'w',
  lockHeld: true,
  leaseOver: false,
  silentMs: 100,
  deathCause: null,
  ...more,
});
const gone = (more: Partial<Sighting> = {}): Sighting => seen({ lockHeld: false, ...more });

/** Looks at the times given, one after the other; answers the last judgement. */
function looks(...at: readonly (readonly [number, readonly Sighting[]])[]): Judgement {
  let watch: Watch = beginWatch(at[0]?.[0] ?? 0);
  let judgement: Judgement = { watch, suspects: [], declared: [] };
  for (const [nowMs, sightings] of at) {
    judgement = judgeWorkers(watch, sightings, nowMs, timing);
    watch = judgement.watch;
  }
  return judgement;
}

const settled = [
  [0, [seen()]],
  [2500, [seen()]],
  [5000, [seen()]],
] as const;

describe('judging workers', () => {
  it('a worker whose lock and lease hold is left alone', () => {
    expect(looks(...settled).suspects).toEqual([]);
  });

  it('a lock that is missing is confirmed before its worker counts as crashed', () => {
    expect(looks(...settled, [5250, [gone()]], [5900, [gone()]]).suspects).toEqual([]);
    expect(looks(...settled, [5250, [gone()]], [6000, [gone()]]).suspects).toEqual([
      { workerId: 'w', cause: 'crashed' },
    ]);
  });

  it('a lock that comes back in between is confirmed from the start again', () => {
    const back = looks(...settled, [5250, [gone()]], [5500, [seen()]], [5750, [gone()]], [6250, [gone()]]);
    expect(back.suspects).toEqual([]);
  });

  it('a lock seen to go after the renewals had stopped was cut', () => {
    const cut = looks(...settled, [5250, [gone({ silentMs: 2600 })]], [6000, [gone({ silentMs: 3350 })]]);
    expect(cut.suspects).toEqual([{ workerId: 'w', cause: 'cut' }]);
  });

  it('a lock that nobody saw held tells nothing of a cut', () => {
    const late = looks([0, [gone({ silentMs: 60_000 })]], [2500, [gone()]], [5000, [gone()]]);
    expect(late.suspects).toEqual([{ workerId: 'w', cause: 'crashed' }]);
  });

  it('a lease that ran out under a held lock is a frozen worker', () => {
    expect(looks(...settled, [5250, [seen({ leaseOver: true })]]).suspects).toEqual([
      { workerId: 'w', cause: 'frozen' },
    ]);
  });

  it('nobody is suspected before the watch is older than the grace, whatever it sees', () => {
    const young = looks(
      [0, [gone(), seen({ workerId: 'x', leaseOver: true })]],
      [2900, [gone(), seen({ workerId: 'x', leaseOver: true })]],
    );
    expect(young.suspects).toEqual([]);
  });

  it('[C05] after a gap, or a clock that went back, the watch begins anew', () => {
    const over = [seen({ leaseOver: true })];
    expect(looks(...settled, [60_000, over], [62_000, over]).suspects).toEqual([]);
    expect(looks(...settled, [1000, over], [3900, over]).suspects).toEqual([]);
    expect(looks(...settled, [60_000, over], [62_000, over], [63_000, over]).suspects).toHaveLength(1);
  });

  it('a death that somebody declared is passed on and judged no more', () => {
    const dead = [gone({ deathCause: 'frozen', leaseOver: true })];
    const after = looks(...settled, [5250, dead], [6500, dead]);
    expect(after).toMatchObject({ suspects: [], declared: [{ workerId: 'w', cause: 'frozen' }] });
  });

  it('a worker is suspected only if every look of the last 750 ms missed its lock, or its lease is over now', () => {
    const sighting = fc.record({ lockHeld: fc.boolean(), leaseOver: fc.boolean(), silentMs: fc.nat(5000) });
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), sighting), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (made) => {
        let nowMs = 0;
        const at = made.map(([stepMs, one]) => [(nowMs += stepMs), [seen(one)]] as const);
        const { suspects } = looks([0, [seen()]], ...at);
        const recent = at.filter(([time]) => time >= nowMs - timing.confirmMs);
        const allMissed = recent.every(([, [one]]) => !one.lockHeld);
        const last = at.at(-1)?.[1][0];
        const isFrozen = last?.lockHeld === true && last.leaseOver;
        if (suspects.length > 0) {
          expect(nowMs).toBeGreaterThanOrEqual(timing.graceMs);
          expect(allMissed || isFrozen).toBe(true);
        }
      }),
    );
  });
});
