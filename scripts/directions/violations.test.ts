import { describe, expect, it } from 'vitest';
import { circlesIn } from './circles.ts';
import { violationsOf } from './violations.ts';

describe('direction rules', () => {
  it.each([
    ['apps/proxy/src/main.ts', `import { a } from '@heliograph/wire';`],
    ['apps/proxy/src/a.test.ts', `import { a } from '@heliograph/dev/testing';`],
    ['apps/device/src/poll/a.ts', `import { b } from '../drivers/driver.ts';`],
    ['apps/cloud/src/routes.ts', `import { b } from './sites/sites/service.ts';`],
    ['apps/cloud/src/sites/sites/service.ts', `import type { A } from '../members/service.ts';`],
    ['apps/cloud/src/sites/sites/routes.ts', `import { a } from './repository.ts';`],
    ['apps/cloud/src/sites/sites/service.ts', `import type { Platform } from '../../platform.ts';`],
    ['apps/cloud/src/sites/sites/a.test.ts', `import { a } from '../../../test/test-cloud.ts';`],
    ['packages/kit/src/a.ts', `import { pino } from 'pino';`],
  ])('%s may hold: %s', (file, source) => {
    expect(violationsOf(file, source)).toEqual([]);
  });

  it.each([
    ['an app imports an app', 'apps/proxy/src/main.ts', `import { a } from '@heliograph/device/sunspec';`],
    ['an app imports dev', 'apps/proxy/src/main.ts', `import { a } from '@heliograph/dev';`],
    ['kit knows a domain', 'packages/kit/src/a.ts', `import { a } from '@heliograph/metrics';`],
    ['by path into another workspace', 'apps/cli/src/a.ts', `import { a } from '../../device/src/main.ts';`],
    ['a workspace imports itself by name', 'dev/src/a.ts', `import { a } from '@heliograph/dev';`],
    [
      'a driver knows the API',
      'apps/device/src/drivers/sunspec/a.ts',
      `import { a } from '../../serve/api/server.ts';`,
    ],
    ['ground knows the platform', 'apps/cloud/src/db/a.ts', `import { a } from '../platform.ts';`],
    ['re-exported', 'apps/device/src/energy/a.ts', `export { a } from '../drivers/driver.ts';`],
    ['imported over lines', 'apps/device/src/bus/a.ts', `import {\n  a,\n} from '../poll/snapshot.ts';`],
    ['imported at run time', 'apps/device/src/bus/a.ts', `await import('../poll/snapshot.ts');`],
    ['a wing starts the cloud', 'apps/cloud/src/shop/a/a.ts', `import { b } from '../../cloud.ts';`],
    ['a folder that is not listed', 'apps/proxy/src/new/a.ts', `import { b } from '../http/b.ts';`],
    [
      'the pages of the device reach into the portal',
      'apps/web/src/device/a/b.ts',
      `import { b } from '../../portal/sites/b.ts';`,
    ],
    ['the database knows sites', 'apps/cloud/src/db/open.ts', `import { b } from '../sites/sites/a.ts';`],
    ['the product imports a test', 'apps/cloud/src/db/open.ts', `import { b } from '../../test/db/a.ts';`],
  ])('an import is refused: %s', (_what, file, source) => {
    expect(violationsOf(file, source)).toHaveLength(1);
  });

  it('folders that import each other in a circle are found, at any depth', () => {
    const sources = new Map([
      ['a/src/b/c/one.ts', `import '../d/two.ts';`],
      ['a/src/b/d/two.ts', `import '../e/f/three.ts';`],
      ['a/src/b/e/f/three.ts', `import '../../c/one.ts';`],
      ['a/src/b/beside.ts', `import './c/one.ts';`],
    ]);
    expect(circlesIn(sources)).toEqual([['a/src/b/c', 'a/src/b/d', 'a/src/b/e', 'a/src/b/c']]);
    sources.delete('a/src/b/e/f/three.ts');
    expect(circlesIn(sources)).toEqual([]);
  });
});
