import { afterEach, describe, expect, it } from 'vitest';
import { Browser } from '../../../../test/serve/api/browser.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { startTestTunnel } from '../../../../test/serve/api/test-tunnel.ts';

const PASSWORD_PATH = '/api/v1/password';
const METRICS = '/api/v1/metrics';
const WANTED = 'sun & gable=8';

let device: TestDevice;
afterEach(() => device.stop());

const outcome = async (answer: Promise<Response>): Promise<readonly [number, unknown]> => {
  const { status, ...rest } = await answer.then(async (got) => ({
    status: got.status,
    text: await got.text(),
  }));
  return [status, rest.text === '' ? null : JSON.parse(rest.text)];
};

describe('the first password', () => {
  const start = async (): Promise<Browser> => {
    device = await startTestDevice({ password: null });
    return new Browser(device.api.url);
  };

  it('the first password is set from the page, which is then signed in', async () => {
    const browser = await start();
    expect(await (await browser.get('/api/v1/session')).json()).toMatchObject({
      has_password: false,
      signed_in: false,
    });
    expect(await outcome(browser.send('POST', PASSWORD_PATH, { password: WANTED }))).toEqual([204, null]);
    expect((await browser.get(METRICS)).status).toBe(200);
    expect(await device.access.password.matches(WANTED, 'somebody')).toBe(true);
    expect(await outcome(browser.send('POST', PASSWORD_PATH, { password: 'another one' }))).toEqual([
      403,
      { error: 'This device has a password already' },
    ]);
  });

  it('one of several first passwords sent at once is set', async () => {
    const browser = await start();
    const inputs = ['one quiet roof', 'two quiet roofs'].map((password) =>
      browser.send('POST', PASSWORD_PATH, { password }),
    );
    const statuses = (await Promise.all(inputs)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      204,
      expect.toSatisfy((status) => status === 409 || status === 403),
    ]);
  });

  it.each([
    ['seven77', 'must have at least 8 characters'],
    ['Password1', 'is too easy to guess'],
    ['heliograph', 'is too easy to guess'],
    ['x'.repeat(257), 'must have at most 256 characters'],
  ])('the first password may not be %s', async (password, complaint) => {
    const browser = await start();
    expect(await outcome(browser.send('POST', PASSWORD_PATH, { password }))).toEqual([
      422,
      { errors: { password: [complaint] } },
    ]);
    expect(device.access.password.isSet).toBe(false);
  });

  it.each([
    ['a page elsewhere', { origin: 'http://evil.example' }],
    ['a name that may be anybody’s', { host: 'rebound.example', origin: 'http://rebound.example' }],
    ['behind a reverse proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ])('the first password is not set from %s', async (_what, headers) => {
    const browser = await start();
    const given = { origin: device.api.url, ...headers };
    expect(await browser.raw('POST', PASSWORD_PATH, given, { password: WANTED })).toBe(403);
    expect(device.access.password.isSet).toBe(false);
  });

  it.each([null, PASSWORD])(
    'the first password is not set through the proxy, where it is %j',
    async (password) => {
      device = await startTestDevice({ password });
      const tunnel = await startTestTunnel(device.api.tunnel);
      const answer = new Browser(tunnel.url).send('POST', PASSWORD_PATH, { password: WANTED });
      const error = 'The first password is set from the local network alone';
      expect(await outcome(answer)).toEqual([403, { error, code: 'not_local' }]);
      tunnel.stop();
    },
  );
});

describe('a change of the password', () => {
  const start = async (): Promise<Browser> => {
    device = await startTestDevice();
    const browser = new Browser(device.api.url);
    await browser.send('POST', '/api/v1/session', { password: PASSWORD });
    return browser;
  };
  const change = (browser: Browser, current: string, password = WANTED) =>
    outcome(browser.send('PUT', PASSWORD_PATH, { current, password }));

  it('a change signs out every other browser and every client of the old password', async () => {
    const browser = await start();
    const other = new Browser(device.api.url, browser.cookie);
    const old = await device.access.guard.admit(
      { kind: 'password', password: PASSWORD },
      { via: 'lan', address: 'somebody', siteId: undefined, siteKey: undefined, foreignPage: false },
    );
    expect(await change(browser, PASSWORD)).toEqual([204, null]);
    expect([(await browser.get(METRICS)).status, (await other.get(METRICS)).status]).toEqual([200, 401]);
    expect(old.isStillAuthorized()).toBe(false);
    expect((await device.fetch(METRICS)).status).toBe(401);
  });

  it('a change needs the old password, and a valid new one', async () => {
    const browser = await start();
    expect(await change(browser, 'wrong one')).toEqual([
      422,
      { errors: { current: ['is not the password of this device'] } },
    ]);
    expect(await change(browser, PASSWORD, 'short')).toEqual([
      422,
      { errors: { password: ['must have at least 8 characters'] } },
    ]);
    expect((await device.fetch(METRICS)).status).toBe(200);
  });
});
