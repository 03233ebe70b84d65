// Mutates libs/policy alone and judges each mutant by the unit specs beside it. The survivors and their reasons are in docs/mutation.md.
// Stryker takes no Jest projects with per-test coverage, so that the one project it needs is written out here. The property specs stay out:
// with 10,000 runs a property they cost more than all the others together, so the score is that of the example specs alone.
const unit = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['<rootDir>/libs/policy/src/**/*.spec.ts'],
  testPathIgnorePatterns: ['\\.properties\\.spec\\.ts$'],
};

export default {
  mutate: [
    'libs/policy/src/**/*.ts',
    '!libs/policy/src/**/*.spec.ts',
    '!libs/policy/src/testing/**',
    '!libs/policy/src/index.ts',
  ],
  testRunner: 'jest',
  jest: { projectType: 'custom', config: unit, enableFindRelatedTests: false },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  plugins: ['@stryker-mutator/jest-runner'],
  ignorePatterns: [
    '*',
    '!libs/policy/**',
    '!test/conformance/**',
    '!package.json',
    '!tsconfig.json',
    '!.swcrc',
  ],
  concurrency: 2,
  timeoutMS: 10_000,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
