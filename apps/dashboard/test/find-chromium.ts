import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** The Chromium to test with: `OFFSHOOT_CHROMIUM`, else the first known name on the path; null when there is none. */
export function findChromium(environment: NodeJS.ProcessEnv): string | null {
  const named = environment['OFFSHOOT_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
