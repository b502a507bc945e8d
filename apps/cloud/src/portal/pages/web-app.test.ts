import { ensurePagesAreBuilt } from '@heliograph/dev/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  await ensurePagesAreBuilt();
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => fetch(cloud.url + path, { headers });
interface Manifest {
  readonly name: string;
  readonly theme_color: string;
  readonly icons: readonly { readonly src: string; readonly type: string }[];
}

const manifest = async (): Promise<Manifest> =>
  JSON.parse(await (await get('/app.webmanifest')).text()) as Manifest;

describe('an installed app', () => {
  it('the manifest has the name, the colour and the logo of the organization of its host', async () => {
    expect(await manifest()).toMatchObject({ name: 'Heliograph', theme_color: '#2c5aa0' });
    const own = await manifest();
    for (const { src, type } of own.icons) {
      const icon = await get(src);
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type]);
    }
    const id = await cloud.make.organization();
    const set = { name: 'Barn Solar', color1: '#0b6e4f' };
    await cloud.db.updateTable('organizations').set(set).where('id', '=', id).execute();
    expect(await manifest()).toMatchObject({ name: 'Barn Solar', theme_color: '#0b6e4f', icons: own.icons });
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"></svg>');
    const logo = { media_type: 'image/svg+xml', digest: 'a'.repeat(64), bytes } as const;
    await cloud.db
      .insertInto('organization_logos')
      .values({ organization_id: id, ...logo })
      .execute();
    const { icons } = await manifest();
    expect(icons).toMatchObject([
      { src: '/app-icon.svg', purpose: 'any' },
      { src: '/app-icon.svg', purpose: 'maskable' },
    ]);
    const icon = await get('/app-icon.svg');
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
    expect(icon.headers.get('content-security-policy')).toContain('sandbox');
    expect(await icon.text()).toContain('href="data:image/svg+xml;base64,');
  });
});

describe('the service worker', () => {
  it('a browser asks at each visit for a newer one, which may call its own origin alone', async () => {
    const worker = await get('/service-worker.js');
    expect(Object.fromEntries(worker.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
    const again = await get('/service-worker.js', { 'if-none-match': worker.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(await worker.text()).toContain('pushsubscriptionchange');
  });

  it('an operator can end those that browsers have', async () => {
    await using without = await startTestCloud({ serviceWorker: false });
    const worker = await (await fetch(`${without.url}/service-worker.js`)).text();
    expect(worker).toContain('registration.unregister()');
    expect(worker).not.toContain('respondWith');
  });

  it('the offline page is complete without scripts, and in the language of its reader', async () => {
    const html = await (await get('/offline', { 'accept-language': 'fr' })).text();
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('<h1>Pas de connexion</h1>');
    expect(html).not.toMatch(/aria-busy|slow-load/);
  });
});
