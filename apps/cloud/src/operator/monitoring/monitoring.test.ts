import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { EVERY_ADDRESS, HAS_IPV6 } from '@heliograph/dev/testing/addresses';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { ManualClock } from '@heliograph/kit';
import { DatabaseError } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { DatabaseDisk } from '../../db/database-disk.ts';
import { openDatabase } from '../../db/open.ts';
import { PublicCertificate } from './public-certificate.ts';
import { cloudReadiness } from './readiness.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
/** The address of the cloud over IPv4: it listens for every version that the machine has. */
let ipv4Url: string;
beforeAll(async () => {
  cloud = await startTestCloud(
    {
      host: EVERY_ADDRESS,
      trustedProxies: ['127.0.0.1', '::1'],
      metricsFrom: ['127.0.0.1', '10.200.0.0/16'],
    },
    logger,
  );
  ipv4Url = withHost('127.0.0.1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(() => {
  lines.length = 0;
});

/** @param host as in a URL */
const withHost = (host: string): string => `http://${host}:${new URL(cloud.url).port}`;

/** Every sample of the metrics, by its name and labels. */
async function samples(): Promise<Map<string, number>> {
  const answer = await fetch(`${ipv4Url}/metrics`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end).replace(/^heliograph_cloud_/, ''), Number(line.slice(end + 1))];
      }),
  );
}

/** The lines about requests, once there are so many. */
async function requestLines(count: number): Promise<Record<string, unknown>[]> {
  const found = () =>
    lines.map((line) => JSON.parse(line)).filter(({ msg, level }) => msg === 'request' && level >= 30);
  await expect.poll(found).toHaveLength(count);
  return found();
}

describe('GET /metrics', () => {
  it('the metrics count requests by method, pattern of the route and class of the status', async () => {
    const { token } = await cloud.make.user();
    const before = await samples();
    await cloud.call('GET /api/v1/sites/11', { token });
    await cloud.call('GET /api/v1/sites/12', { token });
    await cloud.call('GET /nonsense');
    await requestLines(3);
    const after = await samples();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('requests_total{method="GET",route="/api/v1/sites/:id",status="4xx"}')).toBe(2);
    expect(grown('requests_total{method="GET",route="other",status="4xx"}')).toBe(1);
    expect(grown('request_duration_seconds_count{method="GET",route="/api/v1/sites/:id"}')).toBe(2);
  });

  it('the metrics have the database, the mail queue and the proxies', async () => {
    await cloud.announce('eu-1', { region: 'eu', capacity: 10 });
    cloud.clock.advance(60_000);
    const found = await samples();
    expect(found.get('database_up')).toBe(1);
    expect(found.get('database_connections_max')).toBe(8);
    expect(found.get('database_waiting_queries')).toBe(0);
    expect(found.get('mails_waiting')).toBe(0);
    expect(found.get('mail_oldest_age_seconds')).toBe(0);
    expect(found.get('mails_total{outcome="sent"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('proxy_capacity{proxy="eu-1",region="eu"}')).toBe(10);
    expect(found.get('tunnels{proxy="eu-1",region="eu"}')).toBe(0);
    expect(found.get('proxy_announcement_age_seconds{proxy="eu-1",region="eu"}')).toBe(60);
    expect([...found.keys()].join()).toContain('build_info{version=');
    expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  it.each<[string, Record<string, string>, number]>([
    ['this machine', {}, 200],
    ['an address that is listed', { 'x-forwarded-for': '10.200.1.2' }, 200],
    ['a listed address in the notation of IPv6', { 'x-forwarded-for': '::ffff:10.200.1.2' }, 200],
    ['an address in the notation of IPv6 that is not listed', { 'x-forwarded-for': '::ffff:ac9:102' }, 404],
    ['an address that is not listed', { 'x-forwarded-for': '10.201.1.2' }, 404],
    ['a proxy that names no address', { via: '1.1 proxy' }, 404],
  ])('the metrics requested from %s are answered accordingly', async (_name, headers, status) => {
    const answer = await fetch(`${ipv4Url}/metrics`, { headers });
    expect(answer.status).toBe(status);
    if (status === 404) expect(await answer.json()).toEqual({ error: 'Not found' });
  });

  it.skipIf(!HAS_IPV6)(
    'the metrics are refused to this machine over IPv6 where its address of IPv4 alone is listed',
    async () => {
      const answer = await fetch(`${withHost('[::1]')}/metrics`);
      expect(answer.status).toBe(404);
    },
  );
});

describe('a request', () => {
  it('the answer and the log line have the id of the trace, and the line has no query and no address', async () => {
    const { token } = await cloud.make.user();
    const { headers } = await cloud.call('GET /api/v1/sites?q=hidden', {
      token,
      headers: { traceparent: TRACEPARENT },
      from: '10.9.9.9',
    });
    expect(headers.get('x-request-id')).toBe(TRACE_ID);
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    const [line] = await requestLines(1);
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      name: 'cloud',
      requestId: TRACE_ID,
      method: 'GET',
      route: '/api/v1/sites',
      status: 200,
      durationMs: expect.any(Number),
      msg: 'request',
    });
    expect(lines.join('')).not.toMatch(/hidden|10\.9\.9\.9/);
  });

  it.each([
    ['GET /api/v1/user', 401],
    ['GET /nonsense', 404],
    ['POST /api/v1/user', 405],
    ['GET /%ff', 400],
    ['GET /.well-known/openid-configuration', 200],
  ])('the answer to %s has an id', async (route, status) => {
    const { headers, ...answer } = await cloud.call(route);
    expect(answer.status).toBe(status);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f]{32}$/);
  });

  it('a request whose client leaves before its answer has the status 499 in the log', async () => {
    const { hostname, port } = new URL(ipv4Url);
    const client = connect(Number(port), hostname);
    client.write(
      ['POST /api/v1/sign_in HTTP/1.1', `Host: ${hostname}`, 'Content-Type: application/json'].join('\r\n'),
    );
    client.write('\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n');
    // The request is being handled from here on.
    expect(String((await once(client, 'data'))[0])).toContain('100 Continue');
    client.destroy();
    expect(await requestLines(1)).toMatchObject([{ route: '/api/v1/sign_in', status: 499 }]);
  });

  it('requests that machines repeat have no line at the level info', async () => {
    await cloud.announce('eu-1');
    await cloud.call('GET /.well-known/jwks.json');
    await cloud.call('GET /healthz');
    await cloud.call('GET /api/v1/user');
    expect(await requestLines(1)).toMatchObject([{ route: '/api/v1/user', status: 401 }]);
  });
});

describe('GET /readyz', () => {
  it('a row answers for each check', async () => {
    const { status, body } = await cloud.call('GET /readyz');
    expect([status, body]).toEqual([
      200,
      {
        status: 'ready',
        checks: [
          { name: 'database', status: 'ok', detail: 'The database answers' },
          { name: 'disk', status: 'ok', detail: 'No write failed for want of room' },
          { name: 'mails', status: 'ok', detail: 'Mails are sent' },
          { name: 'certificate', status: 'ok', detail: 'The certificate of the public URL is not known' },
        ],
      },
    ]);
  });

  it('whether the disk is full is not known while the database does not answer, unless a write has failed for it', async () => {
    // Port 1 is reserved (tcpmux) and nothing serves it.
    const database = openDatabase('postgres://x@127.0.0.1:1/x', () => undefined);
    const clock = new ManualClock(Date.parse('2026-06-01T12:00:00Z'));
    const disk = new DatabaseDisk(clock);
    const certificate = new PublicCertificate(() => cloud.url, clock, logger);
    const readiness = cloudReadiness({ db: database.db, disk, certificate, clock, logger });
    const row = async () => (await readiness.answer()).checks.find(({ name }) => name === 'disk');
    expect(await row()).toEqual({
      name: 'disk',
      status: 'warning',
      detail: 'Not known while the database does not answer; a full disk stops it',
    });
    disk.noteFailure(Object.assign(new DatabaseError('no space left', 0, 'error'), { code: '53100' }));
    expect(await row()).toMatchObject({ status: 'warning', detail: 'The disk of the database is full' });
    await database.close();
  });

  it('the certificate of the public URL is warned of once a day, and takes no process out of service', async () => {
    const reverseProxy = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key });
    await new Promise<void>((resolve) => reverseProxy.listen(0, '127.0.0.1', resolve));
    const address = reverseProxy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const traced = tracingLogger();
    // The certificate expires on 2126-10-27.
    const clock = new ManualClock(Date.parse('2126-10-01T00:00:00Z'));
    const certificate = new PublicCertificate(() => `https://127.0.0.1:${port}`, clock, traced.logger);
    expect(certificate.check().detail).toBe('The certificate of the public URL is not known');
    await certificate.look();
    expect(certificate.check().status).toBe('ok');
    clock.advance(10 * 24 * 3_600_000);
    await certificate.look();
    await certificate.look();
    const detail = 'The certificate expires in 16 days, on 2126-10-27';
    expect(certificate.check()).toEqual({ status: 'warning', detail });
    clock.advance(20 * 24 * 3_600_000);
    await certificate.look();
    expect(certificate.check().status).toBe('warning');
    expect(traced.lines.map((line) => JSON.parse(line).msg)).toEqual([
      detail,
      'The certificate: it expired on 2126-10-27',
    ]);
    await new Promise((resolve) => reverseProxy.close(resolve));
  });
});
