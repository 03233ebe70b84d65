// Mutates libs/policy alone and judges each mutant by the unit specs beside it; the survivors and their reasons are in docs/mutation.md.
// The specs are bundled once, in the sandbox, from the mutated sources, and each mutant gets a plain process: a Jest run for each of two
// thousand mutants costs ten times as much, and shares what modules made while they loaded. The property specs stay out, because with
// 10,000 runs a property they cost more than all the others together: the score is that of the examples alone.
const bundle = 'libs/policy/src/testing/every-spec.bundle.js';
const bundler = [
  'esbuild libs/policy/src/testing/every-spec.ts --bundle --platform=node --format=esm --target=node20',
  '--packages=external --alias:@jest/globals=./libs/policy/src/testing/light-globals.ts',
  `--log-level=warning --outfile=${bundle}`,
].join(' ');

export default {
  mutate: [
    'libs/policy/src/**/*.ts',
    '!libs/policy/src/**/*.spec.ts',
    '!libs/policy/src/testing/**',
    '!libs/policy/src/index.ts',
  ],
  buildCommand: bundler,
  testRunner: 'command',
  commandRunner: { command: `node ${bundle}` },
  coverageAnalysis: 'off',
  plugins: [],
  ignorePatterns: ['*', '!libs/policy/**', '!test/conformance/**', '!package.json', '!tsconfig.json'],
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
