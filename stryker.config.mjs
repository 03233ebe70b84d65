// Mutates libs/policy alone and judges each mutant by the unit specs beside it; the survivors and their reasons are in docs/mutation.md.
// The specs run as one bundle, built in the sandbox from the mutated sources. The property specs stay out: with 10,000 runs a property they cost
// more than all the others together, so the score is that of the example specs alone.
const bundle = 'libs/policy/src/testing/every-spec.bundle.js';
const unit = {
  testEnvironment: 'node',
  transform: {},
  testMatch: [`<rootDir>/${bundle}`],
};
const bundler = [
  'esbuild libs/policy/src/testing/every-spec.ts',
  '--bundle --platform=node --format=esm --target=node20 --external:@jest/globals --log-level=warning',
  // Packages in CommonJS ask for parts of Node by require. Stryker cuts the command at blanks, hence the comment in place of one.
  '--banner:js=import{createRequire}from"node:module";var/**/require=createRequire(import.meta.url);',
  `--outfile=${bundle}`,
].join(' ');

export default {
  mutate: [
    'libs/policy/src/**/*.ts',
    '!libs/policy/src/**/*.spec.ts',
    '!libs/policy/src/testing/**',
    '!libs/policy/src/index.ts',
  ],
  buildCommand: bundler,
  testRunner: 'jest',
  jest: { projectType: 'custom', config: unit, enableFindRelatedTests: false },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  plugins: ['@stryker-mutator/jest-runner'],
  ignorePatterns: ['*', '!libs/policy/**', '!test/conformance/**', '!package.json', '!tsconfig.json'],
  concurrency: 2,
  timeoutMS: 10_000,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
