import { availableParallelism } from 'node:os';

// Three kinds of test, chosen by suffix: the suffix says what a test costs and what it talks to.
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^#transcripts/testing$': '<rootDir>/libs/transcripts/src/testing.ts',
    '^#([a-z]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.stryker-tmp/'],
};
const under = (suffix) =>
  ['apps', 'bench', 'libs', 'test', 'scripts'].map((room) => `<rootDir>/${room}/**/*${suffix}`);

export default {
  // The specs with real processes mostly wait for them: one at a time would leave a small machine idle.
  // A spec with real processes, databases and browsers may be slow on a busy machine; only a hung one fails.
  testTimeout: 120_000,
  maxWorkers: Math.max(2, availableParallelism() - 1),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: under('.spec.ts'),
      testPathIgnorePatterns: ['\\.int\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$', '/node_modules/'],
    },
    {
      ...shared,
      displayName: 'int',
      testMatch: under('.int.spec.ts'),
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: under('.e2e.spec.ts'),
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
