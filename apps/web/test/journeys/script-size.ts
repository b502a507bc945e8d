import { expect, it } from 'vitest';
import type { Fixture, VisitOptions } from '../fixture.ts';

/** Most script of a first view, compressed as it comes over the wire, in bytes. */
const LIMIT = { portal: 149_000, device: 122_000 } as const;

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
      await visit.page.addInitScript(noteFirstView);
      await visit.page.goto(`${fixture()[of]}${path}`);
      await visit.page.waitForFunction(() => 'firstViewAtMs' in globalThis);
      const requested = await visit.page.evaluate(scriptsOfFirstView);
      // Requested before the first view, a script may still be under way.
      await expect.poll(() => requested.filter((url) => !scripts.has(url))).toEqual([]);
      const bytes = requested.reduce((sum, url) => sum + (scripts.get(url) ?? 0), 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes, requested.map((url) => `${scripts.get(url)} ${url}`).join('\n')).toBeLessThan(LIMIT[of]);
    },
  );

  it.each(['/sites', '/sites/1'])(
    'the first view of the portal at %s requests nothing twice',
    async (path) => {
      await using visit = await fixture().visit({ as: 'demo' });
      const requests: string[] = [];
      visit.page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname.startsWith('/portal/')) requests.push(`${request.method()} ${pathname}${search}`);
      });
      await visit.page.addInitScript(noteFirstView);
      await visit.page.goto(`${fixture().portal}${path}`);
      await visit.page.waitForFunction(() => 'firstViewAtMs' in globalThis);
      expect(requests.length).toBeGreaterThan(2);
      expect(requests.filter((one, index) => requests.indexOf(one) !== index)).toEqual([]);
    },
  );
}

/** Runs in the page: notes when a heading replaces the prerendered shell. */
function noteFirstView(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('#root:not([aria-busy]) h1') === null) return;
    observer.disconnect();
    Object.assign(globalThis, { firstViewAtMs: performance.now() });
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

/** Runs in the page. @returns the URLs of scripts that were requested before the first view */
function scriptsOfFirstView(): string[] {
  const { firstViewAtMs } = globalThis as unknown as { firstViewAtMs: number };
  return performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => new URL(name).pathname.endsWith('.js') && startTime < firstViewAtMs)
    .map(({ name }) => name);
}
