import type { Drift, Surface } from '#transcripts';

type Declared = Pick<Surface, 'declared' | 'fingerprints' | 'executable'>;

/**
 * What changed between the surface of the run before and this one (spec 03 §4); null before the first run and when
 * nothing did. A tool that vanished while another appeared with the same description and schema is reported as
 * renamed; it is still a new identity, and only the stored policy says whether it may run.
 */
export function surfaceDrift(before: Declared | null, now: Declared): Drift | null {
  if (before === null) return null;
  const old = fingerprintsOf(before);
  const fresh = fingerprintsOf(now);
  const executable = new Set(now.executable);
  const lost = [...old.keys()].filter((name) => !fresh.has(name));
  const appeared = [...fresh.keys()].filter((name) => !old.has(name));
  const changed = [...fresh]
    .filter(([name, print]) => old.has(name) && old.get(name) !== print)
    .map(([name]) => name);
  const unclaimed = new Set(appeared);
  const renamed = lost.flatMap((from) => {
    const to = [...unclaimed].find((name) => fresh.get(name) === old.get(from));
    if (to === undefined) return [];
    unclaimed.delete(to);
    return [{ from, to }];
  });
  if (lost.length + appeared.length + changed.length === 0) return null;
  return {
    lost,
    changed,
    granted: appeared.filter((name) => executable.has(name)),
    notGranted: appeared.filter((name) => !executable.has(name)),
    renamed,
  };
}

function fingerprintsOf(surface: Declared): ReadonlyMap<string, string> {
  return new Map(surface.declared.map((name, index) => [name, surface.fingerprints[index] ?? '']));
}
