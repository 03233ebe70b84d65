import { counted } from './counted.js';
import type { CheckedProfile, CheckedProfiles } from './check-profiles.js';
import { formatTable, visible } from './format-table.js';
import type { Paint } from './terminal.js';

/** Checked profiles for people: one line a fault, as `<file>:<line>: <what>`, then a table of the sound ones. */
export function printProfiles({ folder, profiles, ignored }: CheckedProfiles, paint: Paint): string {
  const faults = profiles.filter((profile) => !profile.ok).map((profile) => faultLine(profile, paint));
  const rows = profiles.flatMap((profile) => (profile.ok ? [row(profile)] : []));
  return [
    ...faults,
    faults.length > 0 && rows.length > 0 ? '\n' : '',
    rows.length === 0 ? '' : formatTable(['PROFILE', 'ENTRIES', 'TOOLS'], rows),
    ignored.length === 0 ? '' : `\nNot profiles (no .md): ${ignored.map(visible).join(', ')}\n`,
    profiles.length === 0
      ? `There are no profiles in ${folder}.\n`
      : `\n${count(profiles.length, faults.length)}\n`,
  ].join('');
}

function faultLine(profile: Extract<CheckedProfile, { ok: false }>, paint: Paint): string {
  const [first, ...rest] = profile.lines;
  const place = first === undefined ? profile.path : `${profile.path}:${first}`;
  const more = rest.length === 0 ? '' : ` (also line ${rest.join(', ')})`;
  return `${visible(place)}: ${paint.bad(profile.code)}: ${visible(profile.message)}${more}\n`;
}

function row({ name, tools }: Extract<CheckedProfile, { ok: true }>): readonly string[] {
  const shown = tools.slice(0, 6).join(', ');
  if (tools.length === 0) return [name, '0', '(denies every tool)'];
  return [name, String(tools.length), tools.length > 6 ? `${shown} …` : shown];
}

const count = (all: number, bad: number): string => `${counted(all, 'profile')}, ${bad} bad.`;
