import tseslint from 'typescript-eslint';

// Folders whose code is a function of its arguments: no clock, no chance, no process, no I/O (import law L5, L10).
const pure = [
  'libs/policy/src/**/*.ts',
  'libs/transcripts/src/agent/**/*.ts',
  'libs/transcripts/src/agent-meta/**/*.ts',
  'libs/transcripts/src/events/**/*.ts',
  'libs/agents/src/pure/**/*.ts',
];
const specs = ['**/*.spec.ts', '**/testing/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'];

// Runs in the browser and has a TypeScript project of its own: it is held to its sizes here, to its types by the compiler.
const page = ['apps/dashboard/src/page/**/*.{ts,tsx}'];

export default tseslint.config(
  {
    ignores: ['dist/**', 'node_modules/**', 'coverage/**', 'reports/**', '.stryker-tmp/**'],
  },
  {
    files: ['**/*.ts'],
    ignores: page,
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 8],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-extraneous-class': 'off',
      // Nest declares its option objects as classes and takes plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: page,
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
    },
  },
  {
    files: pure,
    ignores: specs,
    rules: {
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='Date'][property.name='now']",
          message: 'Pure code gets the time as an argument.',
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Pure code gets the time as an argument.',
        },
        {
          selector: "MemberExpression[object.name='Math'][property.name='random']",
          message: 'Pure code gets chance as an argument.',
        },
        {
          selector: "MemberExpression[object.name='crypto'][property.name=/^random/]",
          message: 'Pure code gets ids as arguments.',
        },
      ],
    },
  },
  {
    files: specs,
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-params': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
