import { build } from 'esbuild';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Services from './test-services.js';

const root = join(import.meta.dirname, '..', '..');

/**
 * Runs before the int and e2e suites: a database cluster for each worker and one Redis for all.
 *
 * Jest loads this one file outside its own module system, where neither `.js` for `.ts` nor `#platform` is
 * understood; so what it needs is bundled first, from the sources, never from an old build.
 */
export default async function globalSetup({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  const outfile = join(root, 'dist', '.test', `test-services-${process.pid}.cjs`);
  mkdirSync(join(root, 'dist', '.test'), { recursive: true });
  await build({
    entryPoints: [join(root, 'test', 'support', 'test-services.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    define: { 'import.meta.dirname': '__dirname' },
  });
  const services = createRequire(join(root, 'package.json'))(outfile) as typeof Services;
  await services.startTestServices(outfile, maxWorkers);
}
