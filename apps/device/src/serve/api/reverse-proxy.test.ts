import { startReverseProxy } from '@heliograph/dev/testing/reverse-proxy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../../test/serve/api/browser.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';

const SESSION = '/api/v1/session';

let device: TestDevice;
let fresh: TestDevice;
beforeEach(async () => {
  device = await startTestDevice();
  fresh = await startTestDevice({ password: null });
});
afterEach(async () => {
  await device.stop();
  await fresh.stop();
});

const HOSTS: [string, ((sent: string) => string) | undefined, string | undefined][] = [
  ['sends the device’s own host', undefined, 'foreign_page'],
  ['drops the port', (sent) => sent.replace(/:\d+$/, ''), 'foreign_page'],
  ['sends a name of its own', () => 'device', 'foreign_page'],
  ['sends a public name', () => 'home.example.org', 'public_name'],
  ['preserves the host', (sent) => sent, undefined],
];

describe('a reverse proxy before a device', () => {
  it.each(HOSTS)('a sign-in through one that %s gets its cause', async (_which, hostFor, code) => {
    await using front = await startReverseProxy(device.api.url, hostFor);
    const answer = await new Browser(front.url).send('POST', SESSION, { password: PASSWORD });
    expect(answer.status).toBe(code === undefined ? 204 : 403);
    if (code !== undefined) expect(await answer.json()).toEqual({ error: expect.any(String), code });
  });

  it.each(HOSTS)('the first password through one that %s gets its cause', async (_which, hostFor, code) => {
    await using front = await startReverseProxy(fresh.api.url, hostFor);
    const password = 'sun & gable=8';
    const answer = await new Browser(front.url).send('POST', '/api/v1/password', { password });
    expect(answer.status).toBe(code === undefined ? 204 : 403);
    if (code !== undefined) expect(await answer.json()).toEqual({ error: expect.any(String), code });
  });

  it('the first password from an address that a proxy forwards gets its cause', async () => {
    const headers = { 'x-forwarded-for': '192.168.1.7' };
    const body = { password: 'sun & gable=8' };
    const answer = await new Browser(fresh.api.url).send('POST', '/api/v1/password', body, headers);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'not_local' }]);
  });
});
