import type { Supervisor } from './start-supervisor.js';

/** What a person is told once everything runs. That nobody will run an agent is said aloud: a split deployment means it, a slip of the pen does not. */
export function announcement(
  { dashboardUrl, address, keyFile }: Pick<Supervisor, 'dashboardUrl' | 'address' | 'keyFile'>,
  workers: number,
): string {
  return [
    `Offshoot runs at ${dashboardUrl ?? address}`,
    ...(keyFile === undefined ? [] : [`The admin key is in ${keyFile}`]),
    ...(workers > 0 ? [] : [nobodyRunsThem]),
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

const nobodyRunsThem =
  'NO WORKER RUNS HERE (OFFSHOOT_WORKERS=0): agents wait until one runs elsewhere over the same database.';
