import { ManualClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { cookieOf, NAVIGATION, type VisitAnswer, visit } from '../../test/site-visit.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const NOW = Date.UTC(2025, 10, 21, 20, 3, 30);

let system: TestSystem;
beforeAll(async () => {
  const clock = new ManualClock(NOW);
  system = await startTestSystem({ clock, limits: { answerMs: 300 } }, { regionDomain: 'eu.example.org' });
});
afterAll(() => system.stop());

let siteId = 100;
/** Opens the page of a new site. @param lastSeen when the device was last seen */
async function openSite(name: string, lastSeen?: string): Promise<VisitAnswer> {
  siteId += 1;
  const { siteNames, lastSeen: seen } = system.cloud.proxies;
  siteNames.set(siteId, name);
  if (lastSeen !== undefined) seen.set(siteId, lastSeen);
  const cookie = cookieOf(await system.cloud.authorize(siteId, { nowMs: NOW }));
  return visit(system.proxy.url, `${name}.eu.example.org`, '/', { headers: { ...NAVIGATION, cookie } });
}

describe('the page of a site that cannot be reached', () => {
  test('the page shows when the site was last online, and reloads itself', async () => {
    const answer = await openSite('meadow', '2025-11-21T18:03:00.123Z');
    expect(answer).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '15',
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+';/,
    );
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.body).toContain('<html lang="en">');
    expect(answer.body).toContain('<h1>meadow is offline</h1>');
    expect(answer.body).toContain('<meta http-equiv="refresh" content="15">');
    expect(answer.body).toContain(
      'last online 2 hours ago, on <time datetime="2025-11-21T18:03:00.123Z">21 November 2025 at 18:03 UTC</time>',
    );
    expect(answer.body).not.toMatch(/<script|\[title\]|<!-- /);
  });

  test('the page of a site that was never online has no date', async () => {
    const { body } = await openSite('attic');
    expect(body).toContain('Its device has not been online yet.');
  });

  test('the page has the refusal while the cloud is unreachable', async () => {
    system.cloud.locateStatus = 500;
    const { status, body } = await openSite('orchard');
    system.cloud.locateStatus = 200;
    expect(status).toBe(503);
    expect(body).toContain('<h1>orchard cannot be reached right now</h1>');
  });

  test.each([
    ['sleeps', () => undefined, 'The site did not answer in time.'],
    ['dies', (stream: DeviceStream) => stream.reset(), 'The connection to the site was lost.'],
  ])('the page of a site whose device %s has the reason', async (name, handle, reason) => {
    await system.connectDevice(siteId + 1, handle);
    const { status, body } = await openSite(name);
    expect(status).toBe(503);
    expect(body).toContain(`<h1>${name} cannot be reached right now</h1>`);
    expect(body).toContain(reason);
  });

  test('a script gets the JSON refusal instead of the page', async () => {
    system.cloud.proxies.siteNames.set(99, 'script');
    const cookie = cookieOf(await system.cloud.authorize(99, { nowMs: NOW }));
    const answer = await visit(system.proxy.url, 'script.eu.example.org', '/api/v1/metrics', {
      headers: { cookie },
    });
    expect(answer).toMatchObject({ status: 503, body: '{"error":"Site is offline"}' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
