import { describe, expect, it } from 'vitest';
import { violationsOf } from './violations.ts';

describe('direction rules', () => {
  it.each([
    ['apps/proxy/src/main.ts', `import { a } from '@heliograph/wire';`],
    ['apps/proxy/src/a.test.ts', `import { a } from '@heliograph/dev-env/testing';`],
    ['apps/device/src/poll/a.ts', `import { b } from '../drivers/driver.ts';`],
    ['apps/cloud/src/services.ts', `import { b } from './features/sites/service.ts';`],
    ['apps/cloud/src/features/sites/service.ts', `import type { A } from '../members/service.ts';`],
    ['apps/cloud/src/features/sites/routes.ts', `import { a } from './repository.ts';`],
    ['apps/cloud/src/features/sites/logo-routes.ts', `import { a } from '../../http/guards.ts';`],
    ['packages/kit/src/a.ts', `import { pino } from 'pino';`],
  ])('%s may hold: %s', (file, source) => {
    expect(violationsOf(file, source)).toEqual([]);
  });

  it.each([
    ['an app imports an app', 'apps/proxy/src/main.ts', `import { a } from '@heliograph/device/sunspec';`],
    ['an app imports dev-env', 'apps/proxy/src/main.ts', `import { a } from '@heliograph/dev-env';`],
    ['kit knows a domain', 'packages/kit/src/a.ts', `import { a } from '@heliograph/metrics';`],
    ['by path into another workspace', 'apps/cli/src/a.ts', `import { a } from '../../device/src/main.ts';`],
    [
      'a driver knows HTTP',
      'apps/device/src/drivers/sunspec/a.ts',
      `import { a } from '../../api/server.ts';`,
    ],
    ['re-exported', 'apps/device/src/energy/a.ts', `export { a } from '../drivers/driver.ts';`],
    ['imported over lines', 'apps/device/src/bus/a.ts', `import {\n  a,\n} from '../poll/snapshot.ts';`],
    ['imported at run time', 'apps/device/src/bus/a.ts', `await import('../poll/snapshot.ts');`],
    [
      'a feature reads tables of another',
      'apps/cloud/src/features/a/service.ts',
      `import { b } from '../b/repository.ts';`,
    ],
    [
      'a service knows HTTP',
      'apps/cloud/src/features/a/service.ts',
      `import { b } from '../../http/guards.ts';`,
    ],
    [
      'a feature starts the cloud',
      'apps/cloud/src/features/a/service.ts',
      `import { b } from '../../cloud.ts';`,
    ],
    ['a folder that is not listed', 'apps/proxy/src/new/a.ts', `import { b } from '../http/b.ts';`],
    [
      'the pages of the device reach into the portal',
      'apps/web/src/device/a/b.ts',
      `import { b } from '../../portal/sites/b.ts';`,
    ],
    [
      'the database knows features',
      'apps/cloud/src/db/open.ts',
      `import { b } from '../features/b/service.ts';`,
    ],
  ])('an import is refused: %s', (_what, file, source) => {
    expect(violationsOf(file, source)).toHaveLength(1);
  });
});
