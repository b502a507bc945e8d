/**
 * The workspaces, and those that each may import. An import that is not listed is refused. Tests and benchmarks may
 * start the whole system: they may import `dev` besides.
 */
export const WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  'packages/kit': [],
  'packages/metrics': ['kit'],
  'packages/contracts': ['kit', 'metrics'],
  'packages/telemetry': ['kit'],
  'packages/http': ['kit', 'contracts', 'telemetry'],
  'packages/locales': ['contracts'],
  'packages/tunnel': ['kit'],
  'packages/wire': ['kit'],
  'packages/mcp': ['kit', 'metrics', 'contracts'],
  'packages/client': ['contracts', 'metrics', 'wire'],
  'packages/pages': ['contracts'],
  dev: ['kit', 'metrics', 'contracts', 'wire', 'client', 'cloud', 'device', 'web'],
  'apps/cloud': ['kit', 'metrics', 'contracts', 'http', 'locales', 'telemetry', 'wire', 'mcp', 'pages'],
  'apps/proxy': ['kit', 'contracts', 'telemetry', 'tunnel', 'wire'],
  'apps/device': [
    'kit',
    'metrics',
    'contracts',
    'http',
    'locales',
    'telemetry',
    'tunnel',
    'wire',
    'mcp',
    'pages',
  ],
  'apps/web': ['kit', 'client', 'contracts', 'locales', 'metrics'],
  'apps/cli': ['kit', 'client', 'contracts'],
  packaging: ['dev', 'kit', 'locales', 'web', 'wire'],
  bench: [
    'kit',
    'contracts',
    'metrics',
    'tunnel',
    'wire',
    'client',
    'device',
    'cloud',
    'dev',
    'packaging',
    'web',
  ],
};

/** Workspaces that tests, `*.test.ts` and those of `npm run look`, and test helpers may import besides their workspace's own list. */
export const TESTS_MAY_IMPORT: readonly string[] = ['kit', 'metrics', 'contracts', 'wire', 'client', 'dev'];
