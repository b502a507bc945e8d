import { createServer } from 'node:http';
import { type Browser, launchBrowser, type Page } from '@heliograph/dev/testing/browser';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeServer, listenLocally } from '../../test/local-server.ts';
import type { SiteCredentials } from '../../test/test-cloud.ts';
import type { StreamHandler, TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

/** A frame of a server (RFC 6455 section 5.2): FIN and text | length | payload. */
const HELLO_FRAME = Buffer.from('\x81\x05hello', 'latin1');

/** A device with a page, an API that names the authorized callers, and a WebSocket that sends "hello". */
const device: StreamHandler = (stream, headers) => {
  if (headers.upgrade === 'websocket') {
    stream.respond({ ':status': 200 });
    stream.write(HELLO_FRAME);
    return;
  }
  const isApi = headers[':path']?.startsWith('/api/');
  stream.respond({ ':status': 200, 'content-type': isApi ? 'application/json' : 'text/html' });
  stream.end(isApi ? JSON.stringify(headers) : '<!doctype html><title>Home</title>');
};

let system: TestSystem;
let browser: Browser;
let credentials: SiteCredentials;
let page: Page;
let meadow: TestDevice;
const elsewhere = createServer((_req, res) => {
  res.setHeader('content-type', 'text/html').end('<!doctype html><title>An app</title>');
});
let elsewherePort: number;
beforeAll(async () => {
  elsewherePort = await listenLocally(elsewhere);
  // A stand-in for the sign-in page of the cloud.
  const cloudPublicUrl = `http://127.0.0.1:${elsewherePort}`;
  [system, browser] = await Promise.all([
    startTestSystem({}, { regionDomain: 'eu.localhost', cloudPublicUrl }),
    launchBrowser(),
  ]);
  credentials = await system.cloud.authorize(1);
  const { siteNames, lastSeen } = system.cloud.proxies;
  for (const [id, name] of ['meadow', 'attic', 'orchard'].entries()) siteNames.set(id + 1, name);
  lastSeen.set(2, '2026-01-02T03:04:05Z');
  meadow = await system.connectDevice(1, device);
});
afterAll(async () => {
  await browser?.close();
  await closeServer(elsewhere);
  await system?.stop();
});
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  return () => context.close();
});

const hostOf = (name: string): string => `${name}.eu.localhost:${new URL(system.proxy.url).port}`;
const linkTo = (name: string, { token, siteKey }: SiteCredentials, returnTo: string): string =>
  `http://${hostOf(name)}/callback?${new URLSearchParams({ token, key: siteKey, return_to: returnTo })}`;
const firstMessage = (url: string): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const socket = new WebSocket(${JSON.stringify(url)});
    socket.onmessage = ({ data }) => resolve(data);
    socket.onerror = () => resolve('refused');
  })`);

test('a browser signs in by the link, and the page loads data and WebSocket with the cookie', async () => {
  await page.goto(`http://${hostOf('meadow')}/totals`);
  expect(page.url()).toContain(`:${elsewherePort}/sign_in?to_site=meadow&region=test&return_to=%2Ftotals`);

  await page.goto(linkTo('meadow', credentials, '/totals?range=week'));
  expect(page.url()).toBe(`http://${hostOf('meadow')}/totals?range=week`);
  expect(await page.title()).toBe('Home');
  expect(await page.evaluate('document.cookie')).toBe('');
  const seen: Record<string, string> = await page.evaluate(
    'fetch("/api/v1/metrics", { method: "POST" }).then((r) => r.json())',
  );
  expect(seen).toMatchObject({ ':method': 'POST', 'site-id': '1' });
  expect(seen).not.toHaveProperty('cookie');
  expect(await firstMessage(`ws://${hostOf('meadow')}/api/websocket`)).toBe('hello');
});

test('the page of another site of the region cannot use the cookie', async () => {
  await page.goto(linkTo('meadow', credentials, '/'));
  const neighbour = await system.cloud.authorize(3);
  const orchard = await system.connectDevice(3, device);
  await page.goto(linkTo('orchard', neighbour, '/'));
  expect(await page.title()).toBe('Home');

  const api = JSON.stringify(`http://${hostOf('meadow')}/api/v1/metrics`);
  const send = (init: string): Promise<string> =>
    page.evaluate(
      `fetch(${api}, { credentials: 'include', ${init} }).then(({ type, status }) => type + status, () => 'unreadable')`,
    );
  const before = meadow.seen.length;
  expect(await send('')).toBe('unreadable');
  expect(await send('mode: "no-cors"')).toBe('opaque0');
  expect(await send('mode: "no-cors", method: "POST", body: "1"')).toBe('opaque0');
  expect(await firstMessage(`ws://${hostOf('meadow')}/api/websocket`)).toBe('refused');
  expect(meadow.seen).toHaveLength(before);
  orchard.kill();
});

test('a page of any origin loads data and WebSocket with a site token', async () => {
  await page.goto(`http://127.0.0.1:${elsewherePort}/`);
  const { token, siteId, siteKey } = credentials;
  const headers = JSON.stringify({
    authorization: `Bearer ${token}`,
    'Site-Id': String(siteId),
    'Site-Key': siteKey,
  });
  const api = `${system.proxy.url}/api/v1/metrics`;
  const seen: Record<string, string> = await page.evaluate(
    `fetch('${api}', { method: 'PUT', headers: ${headers} }).then((r) => r.json())`,
  );
  expect(seen).toMatchObject({ ':method': 'PUT', 'site-id': '1' });
  expect(await page.evaluate(`fetch('${api}').then((r) => r.status)`)).toBe(401);
  const query = new URLSearchParams({ token, site_id: String(siteId), site_key: siteKey });
  expect(await firstMessage(`${system.proxy.url.replace('http', 'ws')}/api/websocket?${query}`)).toBe(
    'hello',
  );
});

test('the page of an offline site is readable in light and dark and on a phone', async () => {
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(linkTo('attic', await system.cloud.authorize(2), '/'));
  expect(await page.locator('h1').innerText()).toBe('attic is offline');
  expect(await page.getByText('on 2 January 2026 at 03:04 UTC').count()).toBe(1);
  const look = (): Promise<object> =>
    page.evaluate(`({
      radius: getComputedStyle(document.querySelector('main')).borderRadius,
      background: getComputedStyle(document.documentElement).backgroundColor,
      fits: document.documentElement.scrollWidth <= innerWidth,
    })`);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await look()).toEqual({ radius: '12px', background: 'rgb(250, 250, 249)', fits: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await look()).toEqual({ radius: '12px', background: 'rgb(28, 25, 23)', fits: true });
  expect(refusals).toEqual([]);
});
