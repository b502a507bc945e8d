import { brotliDecompressSync } from 'node:zlib';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import { portalOperations } from '@heliograph/contracts/operations/portal';
import { ensurePagesAreBuilt } from '@heliograph/dev/testing';
import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionHint } from './built-pages.ts';
import { type PagesOptions, servePages } from './serve.ts';

const app = fastify();
let sources: readonly string[] = [];
let sessionHint: SessionHint | undefined;
beforeEach(() => {
  sessionHint = undefined;
});
beforeAll(async () => {
  await ensurePagesAreBuilt();
  const portal: PagesOptions = {
    entry: 'portal',
    paths: ['/', '/sites', '/sites/*', '/nowhere'],
    connectSources: () => sources,
    sessionHint: () => sessionHint,
  };
  servePages(app, portal);
  await app.ready();
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const nonceOf = (policy: unknown): string => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? '';
const entryOf = (html: string): string => /src="(\/assets\/portal[^"]+\.js)"/.exec(html)?.[1] ?? '';

describe('servePages: a page', () => {
  it('each page has a fresh nonce in its policy and in its HTML', async () => {
    const [one, other] = await Promise.all([get('/'), get('/sites/7')]);
    const [nonce, another] = [one, other].map(({ headers }) => nonceOf(headers['content-security-policy']));
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
    expect(nonce).not.toBe(another);
    expect(one.body).toContain(`nonce="${nonce}"`);
    expect(one.body).not.toContain('%NONCE%');
  });

  it('a page has nothing inline and is not stored by caches', async () => {
    const { body, headers } = await get('/');
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|style="| on\w+="/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
    const directives = String(headers['content-security-policy']).split('; ');
    expect(directives).toEqual(
      expect.arrayContaining([
        ...["default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'none'"],
        "frame-ancestors 'none'",
      ]),
    );
  });

  it('the policy lists the connect sources of the moment', async () => {
    sources = ['https://eu-1.example.com', 'wss://eu-1.example.com'];
    const { headers } = await get('/');
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://eu-1.example.com wss://eu-1.example.com;",
    );
  });

  it.each([
    [{}, '<html lang="en">'],
    [{ 'accept-language': 'zh-TW' }, '<html lang="zh-TW">'],
    [{ 'accept-language': 'de', cookie: 'a=b; heliograph_locale=fr' }, '<html lang="fr">'],
    [{ cookie: 'heliograph_locale="><script>' }, '<html lang="en">'],
    [{ cookie: 'heliograph_scheme=dark' }, '<html lang="en" data-mantine-color-scheme="dark">'],
    [{ cookie: 'heliograph_scheme=auto' }, '<html lang="en">'],
  ])('a request with %j gets a page that begins %s', async (headers, beginning) => {
    expect((await get('/', headers)).body).toContain(beginning);
  });

  it.each([
    ['/', 'signed-out', 'en', 'See what your sun is doing'],
    ['/sites/', 'signed-out', 'de', 'Anmelden'],
    ['/sites?q=attic', 'signed-in', 'en', 'Sites'],
    ['/sites', 'signed-in', 'fr', 'Installations'],
  ] as const)('%s is prerendered for a browser that looks %s, in %s', async (path, hint, locale, heading) => {
    sessionHint = hint;
    const { body } = await get(path, { 'accept-language': locale });
    expect(/<div id="root" aria-busy="true">.*<h1[^>]*>([^<]+)<\/h1>/.exec(body)?.[1]).toBe(heading);
    expect(body).toContain(`<html lang="${locale}"${hint === 'signed-in' ? ' data-session' : ''}>`);
  });

  it.each([
    ['/', 'signed-in'],
    ['/sites', undefined],
    ['/nowhere', 'signed-out'],
  ] as const)('%s has an empty root for a browser that looks %s', async (path, hint) => {
    sessionHint = hint;
    expect((await get(path)).body).toContain('<div id="root"></div>');
  });

  it.each([
    ['en', 'Load the page again', 'need JavaScript'],
    ['zh_TW', '重新載入頁面', 'JavaScript'],
  ])(
    'a page in %s has a notice for slow loading and for browsers without scripts',
    async (locale, link, hint) => {
      const { body } = await get('/nowhere', { cookie: `heliograph_locale=${locale}` });
      expect(/<div id="root"><\/div><p id="slow-load".*<a href="">([^<]+)<\/a>/.exec(body)?.[1]).toBe(link);
      expect(/<noscript><p>([^<]+)<\/p><\/noscript>/.exec(body)?.[1]).toContain(hint);
    },
  );

  it.each([
    ['portal', '/', 'signed-out'],
    ['portal', '/sign_in', 'signed-out'],
    ['portal', '/sites', 'signed-in'],
    ['device', '/', 'signed-out'],
    ['device', '/', 'signed-in'],
  ] as const)(
    'the %s page at %s, for a browser that looks %s, links the styles of its prerendered view',
    async (entry, path, hint) => {
      const pages = fastify();
      servePages(pages, { entry, paths: [path], sessionHint: () => hint });
      const { body } = await pages.inject({ url: path });
      const paths = [...body.matchAll(/rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, file]) => file ?? '');
      const styles = (await Promise.all(paths.map((file) => pages.inject(file))))
        .map((file) => file.body)
        .join('');
      await pages.close();
      const [, root = ''] = body.split('<div id="root"');
      const classes = [...root.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
      expect(classes.length).toBeGreaterThanOrEqual(4);
      for (const name of classes) expect(styles).toContain(`.${name}`);
    },
  );

  it.each([
    ['portal', portalOperations.getPortalSession],
    ['device', deviceOperations.getSession],
  ] as const)('the %s page preloads its session at the path of the operation', async (entry, { route }) => {
    const pages = fastify();
    servePages(pages, { entry, paths: ['/'] });
    const { body } = await pages.inject({ url: '/' });
    await pages.close();
    const [preload] = body.match(/<link rel="preload" as="fetch"[^>]*>/) ?? [];
    expect(preload).toContain(`href="${route.replace('GET ', '')}"`);
  });

  it('a page preloads the texts of its language', async () => {
    const [english, german] = await Promise.all([get('/'), get('/', { 'accept-language': 'de' })]);
    const texts = (html: string) =>
      html.match(/modulepreload" crossorigin href="[^"]+\/(?:portal|shared)\.js"/g);
    expect(texts(german.body)?.length).toBeGreaterThanOrEqual(2);
    expect(texts(german.body)).not.toEqual(texts(english.body));
  });
});

describe('servePages: an asset', () => {
  it('an asset is cached for a year and compressed if the browser accepts that', async () => {
    const path = entryOf((await get('/')).body);
    const [plain, small] = await Promise.all([get(path), get(path, { 'accept-encoding': 'gzip, br' })]);
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body);
  });

  it.each(['/assets/none.js', '/assets/', '/assets/..%2fmanifest.json', '/assets/%2e%2e/portal.html'])(
    '%s is not served',
    async (path) => expect([403, 404]).toContain((await get(path)).statusCode),
  );
});
