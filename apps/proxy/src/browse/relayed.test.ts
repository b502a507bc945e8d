import type { Running } from '@heliograph/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { cookieOf, NAVIGATION, visit } from '../../test/site-visit.ts';
import type { StreamHandler, TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem, testConfig } from '../../test/test-system.ts';
import { type ProxyFacts, startProxy } from '../proxy.ts';

const HOST = 'meadow.eu.example.org';
const POLICY = "default-src 'self'";
const hello: StreamHandler = (stream, headers) => {
  if (headers.upgrade === 'websocket') {
    stream.respond({ ':status': 200 });
    stream.pipe(stream);
    return;
  }
  stream.respond({
    ':status': 200,
    'content-security-policy': POLICY,
    'set-cookie': 'own=1',
    'strict-transport-security': 'max-age=1',
  });
  stream.end('hello');
};

let system: TestSystem;
let other: Running<ProxyFacts>;
let device: TestDevice;
beforeAll(async () => {
  const config = { regionDomain: 'eu.example.org' };
  system = await startTestSystem({ limits: { answerMs: 300 } }, config);
  const { cloud } = system;
  cloud.proxies.siteNames.set(1, 'meadow');
  other = await startProxy({ ...testConfig(cloud.url), ...config, name: 'test-2' });
  device = await system.connectDevice(1, (stream, headers) => {
    if (headers[':path'] !== '/asleep') hello(stream, headers);
  });
});
afterAll(async () => {
  await other?.stop();
  await system?.stop();
});

test('the cookie opens the site at every proxy of the region', async () => {
  const cookie = cookieOf(await system.cloud.authorize(1));
  const page = await visit(other.facts.url, HOST, '/', {
    headers: { ...NAVIGATION, cookie: `a=1; ${cookie}` },
  });
  expect(page).toMatchObject({ status: 200, body: 'hello' });
  expect(page.headers).toMatchObject({ 'content-security-policy': POLICY, 'set-cookie': ['own=1'] });
  expect(page.headers).not.toHaveProperty('strict-transport-security');
  expect(device.seen.at(-1)).toMatchObject({ 'site-id': '1', cookie: 'a=1', host: HOST });

  const data = await visit(other.facts.url, HOST, '/api/v1/metrics', { headers: { cookie } });
  expect(data).toMatchObject({ status: 200, body: 'hello' });
  expect(data.headers).not.toHaveProperty('access-control-allow-origin');

  const url = `${other.facts.url.replace('http', 'ws')}/api/websocket`;
  const socket = new WebSocket(url, { headers: { host: HOST, origin: `https://${HOST}`, cookie } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.terminate();
});

test('a page that times out at another proxy is replaced by the offline page', async () => {
  const cookie = cookieOf(await system.cloud.authorize(1));
  const page = await visit(other.facts.url, HOST, '/asleep', { headers: { ...NAVIGATION, cookie } });
  expect(page).toMatchObject({ status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page.body).toContain('The site did not answer in time.');
  expect(page.body).toMatch(/<\/html>\s*$/);
  const data = await visit(other.facts.url, HOST, '/asleep', { headers: { cookie } });
  expect(data).toMatchObject({ status: 504, body: '{"error":"The site did not answer in time"}' });
});
