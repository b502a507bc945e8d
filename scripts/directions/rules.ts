/**
 * Who may import whom. A folder is the longest matching prefix; what is not listed as allowed is refused.
 * Tests and benchmarks may boot the whole system: they may import dev-env besides.
 */
export const WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  'packages/kit': [],
  'packages/metrics': ['kit'],
  'packages/contracts': ['kit', 'metrics'],
  'packages/wire': ['kit'],
  'packages/mcp': ['kit', 'metrics', 'contracts'],
  'packages/client': ['contracts', 'metrics', 'wire'],
  'packages/pages': ['contracts'],
  'packages/dev-env': ['kit', 'metrics', 'contracts', 'wire', 'client', 'cloud', 'device', 'web'],
  'apps/cloud': ['kit', 'metrics', 'contracts', 'wire', 'mcp', 'pages'],
  'apps/proxy': ['kit', 'contracts', 'wire'],
  'apps/device': ['kit', 'metrics', 'contracts', 'wire', 'mcp', 'pages'],
  'apps/web': ['client', 'contracts', 'metrics'],
  'apps/cli': ['kit', 'client', 'metrics', 'contracts'],
  bench: ['kit', 'contracts', 'wire', 'client', 'device', 'dev-env'],
};

/** Besides their workspace's own list: what files named `*.test.ts` and test helpers may import. */
export const TESTS_MAY_IMPORT: readonly string[] = [
  'kit',
  'metrics',
  'contracts',
  'wire',
  'client',
  'dev-env',
];

/** Inside the apps: a room may not reach into these rooms, whatever the depth, nor to these files. */
export const FORBIDDEN_ROOMS: readonly {
  readonly from: string;
  readonly to: readonly string[];
  /** Files that may all the same. */
  readonly except?: RegExp;
  readonly why: string;
}[] = [
  {
    from: 'apps/device/src/bus',
    to: [
      'drivers',
      'poll',
      'energy',
      'settings',
      'storage',
      'api',
      'stream',
      'auth',
      'uplink',
      'config',
      'mqtt',
      'discovery',
    ],
    why: 'a bus carries requests and knows no inverter',
  },
  {
    from: 'apps/device/src/drivers',
    to: [
      'poll',
      'energy',
      'settings',
      'storage',
      'api',
      'stream',
      'auth',
      'uplink',
      'config',
      'mqtt',
      'discovery',
    ],
    why: 'a driver knows neither HTTP nor storage',
  },
  {
    from: 'apps/device/src/poll',
    to: ['api', 'stream', 'auth', 'uplink', 'settings', 'mqtt', 'discovery'],
    why: 'who publishes never knows who listens',
  },
  {
    from: 'apps/device/src/energy',
    to: ['bus', 'drivers', 'api', 'stream', 'auth', 'uplink', 'settings', 'mqtt', 'discovery'],
    why: 'energy reads snapshots alone',
  },
  {
    from: 'apps/device/src/history',
    to: ['bus', 'drivers', 'energy', 'api', 'stream', 'auth', 'uplink', 'settings', 'config', 'mqtt'],
    why: 'the history reads snapshots alone',
  },
  {
    from: 'apps/device/src/stream',
    to: ['bus', 'drivers', 'energy', 'uplink', 'mqtt', 'discovery'],
    why: 'the stream reads snapshots alone',
  },
  {
    from: 'apps/device/src/mqtt',
    to: ['bus', 'drivers', 'energy', 'api', 'stream', 'auth', 'uplink'],
    why: 'MQTT reads snapshots and writes through the settings alone',
  },
  {
    from: 'apps/device/src/discovery',
    to: ['bus', 'drivers', 'energy', 'settings', 'storage', 'api', 'stream', 'auth', 'uplink', 'mqtt'],
    why: 'what is announced comes from snapshots alone',
  },
  {
    from: 'apps/device/src/mcp',
    to: ['bus', 'drivers', 'settings', 'storage', 'api', 'uplink', 'mqtt', 'discovery'],
    why: 'tools read snapshots and the history alone, and write nothing',
  },
  {
    from: 'apps/device/src/api',
    to: ['bus', 'drivers', 'energy', 'uplink', 'mqtt', 'discovery', 'configuration', 'probe', 'pages'],
    why: 'the API reads snapshots alone, and is handed what else its pages ask',
  },
  {
    from: 'apps/web/src/shared',
    to: ['portal', 'device', 'catalogue'],
    why: 'what both use knows neither the portal nor the device pages',
  },
  {
    from: 'apps/web/src/portal',
    to: ['device', 'catalogue'],
    why: 'the portal and the device pages stand side by side',
  },
  {
    from: 'apps/web/src/device',
    to: ['portal', 'catalogue'],
    why: 'the portal and the device pages stand side by side',
  },
  {
    from: 'apps/cloud/src/db',
    to: ['features', 'http'],
    why: 'http reaches services, services repositories, repositories the database',
  },
  {
    from: 'apps/cloud/src/features',
    to: ['http'],
    except: /\/([a-z-]+-)?routes\.ts$/,
    why: 'only routes know HTTP: the command line and the jobs use the same services',
  },
  {
    from: 'apps/cloud/src/features',
    to: ['main.ts', 'cloud.ts', 'services', 'routes.ts', 'provision.ts', 'admin', 'housekeeping', 'pages'],
    why: 'features are wired by the app, not the other way',
  },
];

/** Which files of a cloud feature other features may import: its service, never its tables or routes. */
export const CLOUD_FEATURE_DOORS: readonly string[] = ['service.ts', 'policy.ts', 'present.ts'];
