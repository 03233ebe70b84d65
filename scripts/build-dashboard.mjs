// Bundles the dashboard page into three files that the orchestrator serves under `default-src 'self'`.
// Usage: node scripts/build-dashboard.mjs [--outdir <folder>]
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = path.dirname(import.meta.dirname);
const page = path.join(root, 'apps/dashboard/src/page');
const { values } = parseArgs({
  options: { outdir: { type: 'string', default: path.join(root, 'dist/apps/dashboard/page') } },
});
const outdir = path.resolve(values.outdir);

await mkdir(outdir, { recursive: true });
await build({
  entryPoints: { app: path.join(page, 'main.tsx') },
  outdir,
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: path.join(root, 'apps/dashboard/tsconfig.json'),
  logLevel: 'warning',
});
await build({
  entryPoints: { app: path.join(page, 'styles/app.css') },
  outdir,
  bundle: true,
  minify: true,
  logLevel: 'warning',
});
await copyFile(path.join(page, 'index.html'), path.join(outdir, 'index.html'));
