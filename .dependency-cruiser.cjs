/** The import law. Each rule says why it is there; docs/architecture.md draws the same picture. */
const specs = '\\.spec\\.ts$|/testing/|/testing\\.ts$|^test/|^bench/';
module.exports = {
  forbidden: [
    {
      name: 'L1-policy-is-pure',
      comment:
        'Policy is values in, values out. It may import itself, zod, yaml and the hash of node:crypto.',
      severity: 'error',
      from: { path: '^libs/policy/src', pathNot: specs },
      to: { pathNot: '^libs/policy/src|node_modules/(zod|yaml)/|^crypto$|^node:crypto$' },
    },
    {
      name: 'L2-policy-and-transcripts-are-strangers',
      comment: 'A stored policy must be readable without the log, the log without policy.',
      severity: 'error',
      from: { path: '^libs/transcripts/src' },
      to: { path: '^libs/policy/' },
    },
    {
      name: 'L3-libs-never-import-apps',
      severity: 'error',
      comment: 'Dependencies point inward.',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'L3-apps-are-strangers',
      severity: 'error',
      comment: 'Apps meet through the log, never through imports.',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'L3-base-libs-stand-alone',
      severity: 'error',
      comment: 'Policy, transcripts and platform do not know the use cases that stand on them.',
      from: { path: '^libs/(policy|transcripts|platform)/' },
      to: { path: '^libs/agents/' },
    },
    {
      name: 'L3-platform-knows-no-domain',
      severity: 'error',
      comment: 'Platform is configuration, connections and processes; it knows nothing of agents.',
      from: { path: '^libs/platform/src', pathNot: specs },
      to: { path: '^libs/(policy|transcripts|agents)/' },
    },
    {
      name: 'L4-libs-through-their-entry',
      severity: 'error',
      comment: 'A lib is reached through its entry only; the entry is its public surface.',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/.+', pathNot: '^libs/[^/]+/src/(index|testing)\\.ts$|^$1/$2/' },
    },
    {
      name: 'L4-testing-entry-from-specs-only',
      severity: 'error',
      comment: 'Test support never ships.',
      from: { path: '^(apps|libs)/', pathNot: specs },
      to: { path: '^libs/transcripts/src/testing' },
    },
    {
      name: 'L5-pure-rooms-stay-pure',
      severity: 'error',
      comment: 'Pure folders import no framework, driver, adapter or Node I/O.',
      from: {
        path: '^libs/transcripts/src/(agent|agent-meta|events)/|^libs/agents/src/pure/',
        pathNot: specs,
      },
      to: {
        path: 'node_modules/(@nestjs|typeorm|pg|bullmq|ioredis|openai)|^(node:)?(fs|net|http|https|child_process|os|timers)(/|$)|/store/|^libs/platform',
      },
    },
    {
      name: 'L6-drivers-in-their-rooms',
      severity: 'error',
      comment:
        'typeorm and pg live in the postgres store, projections, presence, the loops over their tables and platform; nowhere else.',
      from: {
        path: '^(apps|libs)/',
        pathNot: `${specs}|/postgres/|/migrations/|/projections/|/dispatch/|/presence/|/liveness/|/delivery/|/timers/|/lifecycle/|^libs/platform/|\\.module\\.ts$`,
      },
      to: { path: 'node_modules/(typeorm|pg|@types/pg)/' },
    },
    {
      name: 'L6-queue-in-its-rooms',
      severity: 'error',
      comment: 'bullmq and ioredis live in the platform queue, dispatch and jobs; nowhere else.',
      from: { path: '^(apps|libs)/', pathNot: `${specs}|/dispatch/|/jobs/|^libs/platform/|\\.module\\.ts$` },
      to: { path: 'node_modules/(bullmq|ioredis|@nestjs/bullmq)/' },
    },
    {
      name: 'L7-nobody-imports-the-edge',
      severity: 'error',
      comment:
        'Controllers, processors and modules are leaves that only modules, main and what starts and stops them see.',
      from: { path: '^(apps|libs)/', pathNot: `${specs}|\\.module\\.ts$|/main\\.ts$|-lifecycle\\.ts$` },
      to: { path: '\\.(controller|processor|module)\\.ts$' },
    },
    {
      name: 'L8-no-cycles',
      severity: 'error',
      comment: 'Type-only cycles count too.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/|^apps/dashboard/src/page/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
