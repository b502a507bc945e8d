import { expect, it } from 'vitest';
import type { Fixture, VisitOptions } from '../fixture.ts';

/** Most script of a first view, compressed as it comes over the wire, in bytes. */
const LIMIT = { portal: 150_000, device: 120_000 } as const;

interface View {
  readonly of: 'portal' | 'device';
  readonly path: string;
  readonly as: NonNullable<VisitOptions['as']>;
}

const VIEWS: readonly View[] = [
  { of: 'portal', path: '/', as: 'anonymous' },
  { of: 'portal', path: '/sign_in', as: 'anonymous' },
  { of: 'portal', path: '/sites', as: 'demo' },
  { of: 'device', path: '/sign_in', as: 'anonymous' },
  { of: 'device', path: '/', as: 'device' },
];

/** The scripts that a first visit loads before the page can be used. */
export function describeScriptSize(fixture: () => Fixture): void {
  it.each(VIEWS)(
    'the first view of the $of at $path as $as stays below the limit',
    async ({ of, path, as }) => {
      // Greek is the language whose texts weigh most.
      await using visit = await fixture().visit({ as, locale: 'el-GR' });
      const scripts = new Map<string, number>();
      visit.page.on('response', (response) => {
        if (response.request().resourceType() !== 'script') return;
        scripts.set(response.url(), Number(response.headers()['content-length'] ?? Number.NaN));
      });
      await visit.page.goto(`${fixture()[of]}${path}`);
      // Before that the prerendered shell stands there.
      await visit.page.locator('#root:not([aria-busy]) h1').first().waitFor();
      const bytes = [...scripts.values()].reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes, [...scripts].map(([url, size]) => `${size} ${url}`).join('\n')).toBeLessThan(LIMIT[of]);
    },
  );
}
