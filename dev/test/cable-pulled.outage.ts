import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PushSubscriber } from '@heliograph/cloud/testing';
import { TestMailServer } from '@heliograph/cloud/testing/mail-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, launchBrowser } from '../src/testing/browser.ts';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';
import { TEST_TLS } from '../src/testing/test-tls.ts';

/** For a loaded machine, in milliseconds. */
const PATIENCE = { timeout: 120_000, interval: 50 };

/** To it this machine is the internet. */
const CLOUD = join(import.meta.dirname, '../../apps/cloud/test/local-internet.ts');

const SILENT = 'Inverter 1 does not answer';

interface Arrival {
  readonly path: string | undefined;
  readonly body: Buffer;
  readonly atMs: number;
}

let system: TestSystem;
let mails: TestMailServer;
let server: Server;
let browser: Browser;
const arrivals: Arrival[] = [];
const phone = new PushSubscriber();

beforeAll(async () => {
  mails = await new TestMailServer({}).start();
  server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, async (request, response) => {
    arrivals.push({ path: request.url, body: await buffer(request), atMs: Date.now() });
    response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { CLOUD_MAILBOX: 'false', SMTP_URL: mails.url, MAIL_FROM: 'Heliograph <mail@example.org>' };
  system = await startTestSystem({ cloud: { program: CLOUD, env } });
  browser = await launchBrowser();
});
afterAll(async () => {
  const { pid } = system.parts.plant;
  if (pid !== undefined) process.kill(pid, 'SIGCONT');
  await browser?.close();
  await system?.stop();
  await mails?.[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('a push, a mail and a webhook report that the cable of the inverter was pulled', async () => {
  const { cloud, account, plant } = { ...system.run, plant: system.parts.plant };
  await alertWithoutDelay();
  const receiver = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { token } = await post<{ token: string }>('/api/v1/sign_in', undefined, {
    email: account.email,
    password: account.password,
    organization_id: 'none',
  });
  await post('/api/v1/user/push_subscriptions', token, {
    endpoint: `${receiver}/push`,
    keys: phone.keys,
  });
  await post('/api/v1/webhooks', token, { name: 'Mine', url: `${receiver}/hook`, types: ['alert'] });
  await using shown = await serviceWorker(cloud.url);

  // The account is mailed about its new webhook, too.
  const subjects = () =>
    mails
      .to(account.email)
      .map(({ mail }) => mail.subject ?? '')
      .filter((subject) => subject !== 'New webhook Mine');
  const hooks = () => bodiesAt('/hook').map((body) => JSON.parse(body.toString()).type);
  const pushes = () => bodiesAt('/push').map((body) => phone.decrypt(body));
  const pulledMs = Date.now();
  process.kill(plant.pid ?? 0, 'SIGSTOP');
  await expect.poll(() => [hooks().length, pushes().length, subjects().length], PATIENCE).toEqual([1, 1, 1]);
  const seconds = ((Math.max(Date.now(), ...arrivals.map(({ atMs }) => atMs)) - pulledMs) / 1000).toFixed(1);
  console.log(`all three arrived ${seconds} s after the cable was pulled`);
  expect(hooks()).toEqual(['alert.raised']);
  expect(subjects()[0]).toContain(SILENT);
  const [push] = pushes();
  expect(push).toContain(SILENT);
  await shown.deliver(push ?? '');
  await expect.poll(shown.notifications, PATIENCE).toEqual([expect.stringContaining(SILENT), 'badge: 1']);

  process.kill(plant.pid ?? 0, 'SIGCONT');
});

/** The rule that hardware is silent waits for minutes, in which a router restarts. */
async function alertWithoutDelay(): Promise<void> {
  const { url, password } = system.run.device;
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const answer = await fetch(`${url}/api/v1/alert_rules`, { headers });
  const { rules } = (await answer.json()) as { rules: { id: string; condition: object }[] };
  const rule = rules.find(({ id }) => id === 'hardware_silent');
  const changed = {
    ...{ id: 'hardware_silent', name: null, enabled: true, severity: 'critical' },
    condition: { ...rule?.condition, for_s: 0 },
  };
  const body = JSON.stringify({ rules: [changed] });
  const { status } = await fetch(`${url}/api/v1/alert_rules`, { method: 'PUT', headers, body });
  expect(status).toBe(200);
}

async function post<T>(path: string, token: string | undefined, body: object): Promise<T> {
  const answer = await fetch(system.run.cloud.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

function bodiesAt(path: string): readonly Buffer[] {
  return arrivals.filter((arrival) => arrival.path === path).map(({ body }) => body);
}

/**
 * The portal in Chromium with its service worker. No push service of a browser maker is reached: the decrypted message is
 * delivered by the developer tools, as that service would.
 */
async function serviceWorker(origin: string) {
  await using undo = new AsyncDisposableStack();
  const context = await browser.newContext();
  undo.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(`${origin}/sign_in?return_to=/user`);
  await page.getByLabel('Email').fill(system.run.account.email);
  await page.getByLabel('Password', { exact: true }).fill(system.run.account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/user', { timeout: PATIENCE.timeout });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(noteNotifications);
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const open = undo.move();
  return {
    deliver: (data: string) =>
      devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }),
    notifications: () => worker.evaluate(notedNotifications),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** The scope of a worker whose notifications are noted. */
interface NotingScope {
  noted: string[];
  navigator: { setAppBadge: (count: number) => Promise<void> };
  registration: { showNotification: (title: string, options: { body: string }) => Promise<void> };
}

/** Runs in the worker. */
function noteNotifications(): void {
  const scope = globalThis as unknown as NotingScope;
  scope.noted = [];
  scope.registration.showNotification = async (title, { body }) => {
    scope.noted.push(`${title}: ${body}`);
  };
  // A browser without a screen has no icon for a badge, and ends a worker that sets one.
  scope.navigator.setAppBadge = async (count) => {
    scope.noted.push(`badge: ${count}`);
  };
}

/** Runs in the worker. */
function notedNotifications(): string[] {
  return (globalThis as unknown as NotingScope).noted;
}
