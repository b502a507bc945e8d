import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { environmentOf, examplesOf, Installation } from './client-package.ts';

/** The output of each example. */
const OUTPUT: Readonly<Record<string, RegExp>> = {
  'sites.mjs': /^Signed in as demo@heliograph\.test\n\d+ demo: online\n$/,
  'site.mjs': /^total\/\w+: \S+ \S*\n[\s\S]*^The reserve is 25 %\n[\s\S]*^total\/pv_power: [1-9]\d* points$/m,
  'watch.mjs': /^The stream is live\n[\s\S]*^total\/pv_power = \d+/m,
  'home.mjs': /^\S+ in \S+ reads \d+ metrics\n$/,
  'failures.mjs': /^422: .*hostname.*\nCannot reach .*: given up\n$/,
};

/** The client as it is packed, in an empty folder, with the examples of its README. */
export function describeInstalledClient(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let installation: Installation;
  beforeAll(async () => {
    system = systemOf();
    installation = await Installation.create();
  });
  afterAll(() => installation?.[Symbol.asyncDispose]());

  it.each(examplesOf('js'))('the example $file of the README runs', async ({ file }) => {
    expect(await installation.runExample(file, environmentOf(system.run))).toMatch(OUTPUT[file] ?? /^$/);
  });

  it('the examples pass the strict compiler', async () => {
    await installation.checkTypes(
      examplesOf('js').map(({ file }) => file),
      ['node'],
    );
  });

  describe('the types of the package', () => {
    it('the types need no other package', async () => {
      const { folder } = installation;
      await writeFile(
        join(folder, 'alone.mts'),
        `import { createCloudClient, type SiteSummary } from '@heliograph/client';
const sites: SiteSummary[] = await createCloudClient({ url: '' }).listSites({ limit: 5, q: undefined });
// @ts-expect-error: the limit is a number
await createCloudClient({ url: '' }).listSites({ limit: '5' });
// @ts-expect-error: a site has no such field
sites[0]?.nothing;
`,
      );
      await installation.checkTypes(['alone.mts'], []);
    });

    it('the printed types are those that the sources compute', async () => {
      const source = join(import.meta.dirname, '../../packages/client/src/index.ts');
      const printed = await readFile(
        join(installation.folder, 'node_modules/@heliograph/client/contract.d.ts'),
        'utf8',
      );
      const names = [...printed.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
      expect(names).toContain('SiteAuthorization');
      const file = join(installation.folder, 'same-types.mts');
      await writeFile(
        file,
        `import type * as Source from '${source}';
import type * as Printed from '@heliograph/client';
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
declare const source: Omit<Source.CloudClient, 'device'>;
declare const printed: Omit<Printed.CloudClient, 'device'>;
source satisfies typeof printed;
printed satisfies typeof source;
${names.map((name) => `true satisfies Same<Source.${name}, Printed.${name}>;`).join('\n')}
`,
      );
      await installation.checkTypes([file, '--allowImportingTsExtensions', '--skipLibCheck'], ['node']);
    });
  });
}
