import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BrowserContext, Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';

/** The portal as an app: its worker, pushed messages, the page without a connection. */
export function describeApp(fixture: () => Fixture): void {
  it('the browser finds a manifest with icons that it can show', async () => {
    await using visit = await fixture().visit({ as: 'demo', serviceWorker: true });
    const { page, context } = visit;
    await page.goto(`${fixture().portal}/sites`);
    const devtools = await context.newCDPSession(page);
    const manifest = await devtools.send('Page.getAppManifest');
    expect(manifest.errors).toEqual([]);
    expect(manifest.url).toBe(`${fixture().portal}/app.webmanifest`);
    const { icons, display } = JSON.parse(manifest.data ?? '');
    expect(display).toBe('standalone');
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(sizeOfImage, src);
      expect(`${size.width}x${size.height}`).toBe(sizes);
    }
    await workerOf(context);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  it('the app shows a sentence in the language of its reader while there is no connection, and goes on afterwards', async () => {
    await using door = await Door.to(fixture().portal);
    await using visit = await fixture().visit({
      as: 'demo',
      locale: 'de-DE',
      serviceWorker: true,
      expectedErrors: [/ERR_|Failed to/],
    });
    const { page, context } = visit;
    await page.goto(`${door.url}/sign_in`);
    await workerOf(context);
    await offlinePageIsStored(page);
    await door.close();
    await page.goto(`${door.url}/user?tab=1`);
    await page.getByRole('heading', { name: 'Keine Verbindung', level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    if (process.env.PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.PICTURES}/offline-${fixture().look.name}.png` });
    expect(await faultsInBothLooks(page)).toEqual([]);
    expect(await page.evaluate(cachedPaths)).toEqual([
      '/assets/offline.css',
      '/assets/offline.js',
      '/offline',
    ]);
    await door.open();
    await page.getByRole('link', { name: 'Erneut versuchen' }).click();
    await page.waitForURL(/return_to=%2Fuser%3Ftab%3D1|\/user\?tab=1/);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('a new version of the worker takes over at the next visit, and one that the operator ended is gone', async () => {
    await using door = await Door.to(fixture().portal);
    await using visit = await fixture().visit({ serviceWorker: true });
    const { page, context } = visit;
    await page.goto(`${door.url}/sign_in`);
    const first = await workerOf(context);
    await offlinePageIsStored(page);
    door.scripts.set('/service-worker.js', `${await scriptAt(first.url())}\nself.isSecond = true;`);
    const next = context.waitForEvent('serviceworker');
    await page.goto(`${door.url}/register`);
    const second = await next;
    expect(await second.evaluate(() => 'isSecond' in globalThis)).toBe(true);
    await expect.poll(() => second.evaluate(stateOfWorker)).toBe('activated');

    door.scripts.set('/service-worker.js', await readFile(ENDING_WORKER, 'utf8'));
    await page.goto(`${door.url}/password`);
    // A visit looks for a new worker as well, once the browser has time for it.
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      // It fails where the worker has ended by then.
      await registration.update().catch(() => undefined);
    });
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(0);
    await expect.poll(() => registrationsOf(page)).toBe(0);
    // The first page still uses the ended worker while the second one registers it again.
    const another = await context.newPage();
    await another.addInitScript(noteRegistration);
    await another.goto(`${door.url}/register`);
    await another.waitForFunction(() => 'isRegistered' in globalThis);
    await expect.poll(() => registrationsOf(another)).toBe(0);
  });

  it('a pushed message shows a notification, and sets the badge', async () => {
    await using visit = await fixture().visit({ as: 'demo', serviceWorker: true });
    const { page, context } = visit;
    await page.goto(`${fixture().portal}/sites`);
    const worker = await workerOf(context);
    await worker.evaluate(noteCalls);
    const push = await pushTo(context, page, fixture().portal);
    const message = { title: 'Barn', body: 'Battery 1 is nearly empty', url: '/sites/7/alerts#12' };
    await push(JSON.stringify({ ...message, tag: 'alert-12', badge: 2, severity: 'critical' }));
    await push(JSON.stringify({ ...message, badge: 0, severity: 'warning' }));
    await push('no JSON');
    await expect
      .poll(() => worker.evaluate(notedCalls))
      .toEqual([
        'show Barn: Battery 1 is nearly empty, tag alert-12, stays, at /sites/7/alerts#12',
        'badge 2',
        'show Barn: Battery 1 is nearly empty, at /sites/7/alerts#12',
        'badge 0',
        'show Heliograph: , at /alerts',
      ]);
  });

  it('a click on a notification focuses the window that shows its page, and opens one where there is none', async () => {
    await using visit = await fixture().visit({ as: 'demo', serviceWorker: true });
    const { page, context } = visit;
    await page.goto(`${fixture().portal}/alerts`);
    const worker = await workerOf(context);
    await worker.evaluate(noteCalls);
    const calls = [];
    for (const [path, call] of [
      ['/alerts', `focus ${fixture().portal}/alerts`],
      ['/sites/7/alerts#12', `open ${fixture().portal}/sites/7/alerts#12`],
    ] as const) {
      await worker.evaluate(clickNotification, path);
      calls.push('close', call);
      await expect.poll(() => worker.evaluate(notedCalls)).toEqual(calls);
    }
  });

  it('a reader switches messages on and off, on again where the cloud has got another key, and signing out ends them', async () => {
    await using visit = await fixture().visit({ serviceWorker: true });
    const { page, context } = visit;
    const { account } = fixture().system.run;
    await page.addInitScript(pushServiceInPage);
    await page.goto(`${fixture().portal}/sign_in?return_to=/user`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/user');
    const messages = page.getByRole('switch', { name: 'Messages on this device' });
    await messages.waitFor();
    await workerOf(context);
    expect(await messages.isChecked()).toBe(false);
    expect(await subscriptionsOf(page)).toBe(0);
    await messages.click();
    await expect.poll(() => subscriptionsOf(page)).toBe(1);
    await messages.and(page.locator(':checked:enabled')).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    if (process.env.PICTURES !== undefined)
      await page.screenshot({
        path: `${process.env.PICTURES}/app-${fixture().look.name}.png`,
        fullPage: true,
      });
    await page.reload();
    await expect.poll(() => messages.isChecked()).toBe(true);
    // As when the cloud has got another key since.
    const boundTo = () => page.evaluate(() => sessionStorage.getItem('push-key'));
    const key = await boundTo();
    await page.evaluate((another) => sessionStorage.setItem('push-key', another), `B${'A'.repeat(86)}`);
    await page.reload();
    await expect.poll(() => messages.isChecked()).toBe(false);
    await messages.click();
    await messages.and(page.locator(':checked:enabled')).waitFor();
    expect(await boundTo()).toBe(key);
    await messages.click();
    await expect.poll(() => subscriptionsOf(page)).toBe(0);
    await expect.poll(() => messages.isChecked()).toBe(false);

    await messages.click();
    await expect.poll(() => subscriptionsOf(page)).toBe(1);
    const removed = page.waitForResponse(
      (response) =>
        response.request().method() === 'DELETE' && response.url().includes('/push_subscriptions/'),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect((await removed).status()).toBe(204);
    await page.waitForURL(`${fixture().portal}/`);
  });

  it('a browser that blocks messages shows what to do', async () => {
    await using visit = await fixture().visit({ as: 'demo', serviceWorker: true });
    const { page } = visit;
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    });
    await page.goto(`${fixture().portal}/user`);
    await page.getByText('The browser blocks notifications of these pages.').waitFor();
    const messages = page.getByRole('switch', { name: 'Messages on this device' });
    expect(await messages.isDisabled()).toBe(true);
  });
}

/** The worker of a cloud whose operator wants none. */
const ENDING_WORKER = join(import.meta.dirname, '../../../cloud/src/portal/pages/end-service-worker.js');

async function scriptAt(url: string): Promise<string> {
  return (await fetch(url)).text();
}

type Worker = ReturnType<BrowserContext['serviceWorkers']>[number];

async function workerOf(context: BrowserContext): Promise<Worker> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await expect.poll(() => worker.evaluate(stateOfWorker)).toBe('activated');
  return worker;
}

/** Runs in the worker. */
function stateOfWorker(): string | undefined {
  const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
  return registration.active?.state;
}

/** Delivers messages as the push service of a browser does. */
async function pushTo(context: BrowserContext, page: Page, origin: string) {
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

/** Runs in the page before its scripts. */
function noteRegistration(): void {
  const { register } = ServiceWorkerContainer.prototype;
  ServiceWorkerContainer.prototype.register = async function (...options) {
    const registration = await register.apply(this, options);
    Object.assign(globalThis, { isRegistered: true });
    return registration;
  };
}

/** How many workers the origin of the page has. */
async function registrationsOf(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
}

async function offlinePageIsStored(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(cachedPaths)).toContain('/offline');
}

/** Runs in the page. */
async function cachedPaths(): Promise<string[]> {
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests
    .flat()
    .map(({ url }) => new URL(url).pathname)
    .map((path) => path.replace(/-[\w-]{7}\./, '.'))
    .toSorted();
}

/** Runs in the page. */
async function sizeOfImage(src: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = src;
  await image.decode();
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/**
 * Runs in the page, in the place of the push service of the browser's maker and of the question for the permission: the
 * Chromium of these tests has neither.
 */
function pushServiceInPage(): void {
  const KEY = 'push-key';
  const bound = () => sessionStorage.getItem(KEY);
  let permission: NotificationPermission = bound() === null ? 'default' : 'granted';
  Object.defineProperty(Notification, 'permission', { get: () => permission });
  Object.defineProperty(Notification, 'requestPermission', {
    value: async () => {
      permission = 'granted';
      return permission;
    },
  });
  const subscription = () => {
    const key = bound();
    if (key === null) return null;
    const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
    // Of RFC 8291, 5: the cloud checks that the key is one.
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    };
    return {
      options: { applicationServerKey: Uint8Array.from(text, (one) => one.charCodeAt(0)).buffer },
      toJSON: () => ({ endpoint: 'https://push.example.org/send/abc', keys }),
      unsubscribe: async () => {
        sessionStorage.removeItem(KEY);
        return true;
      },
    };
  };
  Object.defineProperties(PushManager.prototype, {
    getSubscription: { value: async () => subscription() },
    subscribe: {
      value: async ({ applicationServerKey }: { readonly applicationServerKey: string }) => {
        sessionStorage.setItem(KEY, applicationServerKey);
        return subscription();
      },
    },
  });
}

/** How many browsers the account of the page has messages pushed to. */
async function subscriptionsOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const answer = await fetch('/portal/api/v1/user/push_subscriptions');
    return ((await answer.json()) as unknown[]).length;
  });
}

interface WorkerScope {
  calls: string[];
  readonly clients: object;
  readonly WindowClient: { readonly prototype: object };
  readonly ServiceWorkerRegistration: { readonly prototype: object };
}

/**
 * Runs in the worker, in the place of what only a system with a desktop has: the Chromium of these tests shows no
 * notifications, and a browser lets a worker open windows for the click of a person alone.
 */
function noteCalls(): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.calls = [];
  const note = async (call: string): Promise<void> => void scope.calls.push(call);
  const method = (owner: object, name: string, value: unknown) =>
    Object.defineProperty(owner, name, { value });
  method(
    scope.ServiceWorkerRegistration.prototype,
    'showNotification',
    (title: string, { body, tag, requireInteraction, data }: NotificationOptions) =>
      note(
        `show ${title}: ${body}, ${tag === undefined ? '' : `tag ${tag}, `}${requireInteraction ? 'stays, ' : ''}at ${data.path}`,
      ),
  );
  method(navigator, 'setAppBadge', (count: number) => note(`badge ${count}`));
  method(navigator, 'clearAppBadge', () => note('badge 0'));
  method(scope.clients, 'openWindow', (url: string) => note(`open ${url}`));
  method(scope.WindowClient.prototype, 'focus', function focus(this: { url: string }) {
    return note(`focus ${this.url}`);
  });
}

/** Runs in the worker. */
function notedCalls(): string[] {
  return (globalThis as unknown as WorkerScope).calls;
}

/** Runs in the worker. */
function clickNotification(path: string): void {
  const scope = globalThis as unknown as WorkerScope;
  const notification = { data: { path }, close: () => void scope.calls.push('close') };
  const click = { notification, waitUntil: () => undefined };
  dispatchEvent(Object.assign(new Event('notificationclick'), click));
}

/** A way to the portal that a test can close: the server stays, the connection goes. */
class Door implements AsyncDisposable {
  /** Scripts that are served in the place of those of the portal, by path. */
  readonly scripts = new Map<string, string>();
  readonly #target: URL;
  #server: Server;
  #port = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = this.#make();
  }

  static async to(target: string): Promise<Door> {
    const door = new Door(target);
    await door.open();
    return door;
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  async open(): Promise<void> {
    this.#server = this.#make();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #make(): Server {
    const { hostname, port } = this.#target;
    return createServer(async (request, response) => {
      const { method, url: path, headers } = request;
      const script = this.scripts.get(path ?? '');
      if (script !== undefined) {
        response
          .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' })
          .end(script);
        return;
      }
      const forwarded = httpRequest({ hostname, port, method, path, headers }, async (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        await pipeline(answer, response).catch(() => response.destroy());
      });
      forwarded.on('error', () => response.destroy());
      await pipeline(request, forwarded).catch(() => forwarded.destroy());
    });
  }
}
