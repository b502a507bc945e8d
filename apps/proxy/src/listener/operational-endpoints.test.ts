import { once } from 'node:events';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Http2Client } from '../../test/http2-client.ts';
import { head, rawExchange } from '../../test/raw-request.ts';
import { type SiteCredentials, siteHeaders } from '../../test/test-cloud.ts';
import { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem } from '../../test/test-system.ts';
import type { ProxyConfig } from '../config/config.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;

const TRUSTING = { trustedProxies: ['127.0.0.1'], metricsFrom: ['10.0.0.0/8'] };

/** Every sample of an exposition, by its name and labels. */
function samplesIn(text: string): Map<string, number> {
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end).replace(/^heliograph_proxy_/, ''), Number(line.slice(end + 1))];
      }),
  );
}

describe('GET /metrics', () => {
  test.each<[string, Partial<ProxyConfig>, Record<string, string>, number]>([
    ['this machine', {}, {}, 200],
    ['an address that is not named', { metricsFrom: ['192.0.2.0/24'] }, {}, 404],
    ['nobody', { metricsFrom: [] }, {}, 404],
    ['a proxy that is not trusted', {}, { 'x-forwarded-for': '127.0.0.1' }, 404],
    ['another that is not', {}, { forwarded: 'for=127.0.0.1' }, 404],
    ['and another', {}, { via: '1.1 proxy' }, 404],
    ['the world, through a trusted proxy', TRUSTING, { 'x-forwarded-for': '192.0.2.1' }, 404],
    ['a named address, through a trusted proxy', TRUSTING, { 'x-forwarded-for': '10.1.2.3' }, 200],
  ])('the metrics requested from %s are answered accordingly', async (_who, config, headers, status) => {
    const system = await startTestSystem({}, config);
    const answer = await fetch(`${system.proxy.url}/metrics`, { headers });
    expect(answer.status).toBe(status);
    if (status === 404) expect(await answer.json()).toEqual({ error: 'Not found' });
    await system.stop();
  });

  test.each([
    ['proxy.example.org', 404],
    ['proxy.example.org:443', 404],
    ['', 404],
    ['localhost', 200],
    ['[::1]:4001', 200],
  ])('the metrics requested from this machine at the host "%s" are answered %i', async (host, status) => {
    const system = await startTestSystem();
    const request = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await rawExchange(system.proxy.url, request)).toContain(`HTTP/1.1 ${status} `);
    await system.stop();
  });

  test('failures that have not happened are counted as 0, so that the first one is an increase', async () => {
    const system = await startTestSystem();
    const samples = samplesIn(await (await fetch(`${system.proxy.url}/metrics`)).text());
    for (const one of [
      'tunnels_failed_total{reason="bad token"}',
      'refusals_total{reason="Site is offline"}',
      'tls_failures_total{reason="ERR_SSL_HTTP_REQUEST"}',
      'protocol_errors_total{reason="HPE_INVALID_METHOD"}',
      'requests_total{answered_by="proxy",status="5xx"}',
      'announcement_failures_total',
    ])
      expect([one, samples.get(one)]).toEqual([one, 0]);
    await system.stop();
  });

  test('the metrics count requests, connections and tunnels', async () => {
    const system = await startTestSystem({ limits: { bodyBytes: 10 } }, { tls: { certPath, keyPath } });
    const { proxy, cloud } = system;
    await expect.poll(() => cloud.announcements.length).toBeGreaterThan(0);
    const token = await cloud.tunnelToken(1);
    const device = await TestDevice.connect(proxy.url, token, answering('x'.repeat(5_000)), { ca });
    await expect(TestDevice.connect(proxy.url, 'nonsense', answering(''), { ca })).rejects.toThrow('401');
    await expect.poll(() => system.sites()).toContain(1);
    const client = await Http2Client.connect(proxy.url);
    const good = lowerCase(await cloud.authorize(1));
    const read = async (): Promise<Map<string, number>> =>
      samplesIn(String((await client.send('/metrics')).body));

    const before = await read();
    await client.send('/api/v1/metrics', good);
    await client.send('/api/v1/metrics', good);
    await client.send('/api/v1/metrics');
    await client.send('/api/v1/metrics', { ...good, ':method': 'POST' }, 'x'.repeat(11));
    await client.send('/api/v1/metrics', lowerCase(await cloud.authorize(99)));
    const socket = new WebSocket(`wss://${proxy.host}/api/websocket`, { ca, headers: good });
    await once(socket, 'open');
    await rawExchange(proxy.url, head('GET / HTTP/1.1'));

    const after = await read();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('requests_total{answered_by="device",status="2xx"}')).toBe(2);
    expect(grown('requests_total{answered_by="proxy",status="2xx"}')).toBe(1);
    expect(grown('requests_total{answered_by="proxy",status="4xx"}')).toBe(2);
    expect(grown('requests_total{answered_by="proxy",status="5xx"}')).toBe(1);
    expect(grown('refusals_total{reason="Unauthorized"}')).toBe(1);
    expect(grown('refusals_total{reason="Site is offline"}')).toBe(1);
    expect(grown('refusals_total{reason="The request body is longer than 10 bytes"}')).toBe(1);
    expect(grown('request_duration_seconds_count')).toBe(6);
    expect(grown('request_duration_seconds_bucket{le="+Inf"}')).toBe(6);
    expect(grown('tls_failures_total{reason="ERR_SSL_HTTP_REQUEST"}')).toBe(1);
    expect(grown('bytes_total{kind="tunnel",direction="in"}')).toBeGreaterThan(10_000);
    expect(grown('bytes_total{kind="client",direction="out"}')).toBeGreaterThan(10_000);
    expect(after.get('tunnels')).toBe(1);
    expect(after.get('websockets')).toBe(1);
    expect(after.get('tunnels_failed_total{reason="bad token"}')).toBe(1);
    expect(after.get('connections{kind="tunnel"}')).toBe(1);
    expect(after.get('connections{kind="client"}')).toBeGreaterThanOrEqual(2);
    expect(after.get(`certificate_expiry_timestamp_seconds{file="${certPath}"}`)).toBeGreaterThan(
      Date.now() / 1000,
    );
    expect(after.get('announcement_age_seconds')).toBeLessThan(10);
    expect(after.get('announcement_failures_total')).toBe(0);

    socket.terminate();
    device.kill();
    await expect.poll(async () => (await read()).get('websockets')).toBe(0);
    client.close();
    await system.stop();
  });
});

function lowerCase(credentials: SiteCredentials): Record<string, string> {
  return Object.fromEntries(
    Object.entries(siteHeaders(credentials)).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

test('an idle connection is kept for longer than the minute of a load balancer', async () => {
  const system = await startTestSystem();
  const answer = await fetch(`${system.proxy.url}/healthz`);
  expect([answer.status, answer.headers.get('keep-alive')]).toEqual([200, 'timeout=65']);
  await system.stop();
});

test('a proxy with a refused credential is not ready but serves its sites', async () => {
  const system = await startTestSystem({ announceIntervalMs: 100 });
  const { cloud, proxy } = system;
  await system.connectDevice(1, answering('here'));
  const readiness = async (): Promise<unknown> => {
    const answer = await fetch(`${proxy.url}/readyz`);
    const { status, error } = (await answer.json()) as { status: string; error?: string };
    return { status: answer.status, body: { status, error } };
  };
  await expect.poll(readiness).toEqual({ status: 200, body: { status: 'ready', error: undefined } });
  cloud.announceStatus = 401;
  await expect.poll(readiness).toEqual({
    status: 503,
    body: {
      status: 'not_ready',
      error: 'The cloud refuses the credential of this proxy: its log says what to do',
    },
  });
  expect(await (await system.fetch('/api/v1/metrics', await cloud.authorize(1))).text()).toBe('here');
  cloud.announceStatus = 200;
  await expect.poll(readiness, { timeout: 5_000 }).toMatchObject({ status: 200 });
  await system.stop();
});
