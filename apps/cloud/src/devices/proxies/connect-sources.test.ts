import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { ConnectSources } from './connect-sources.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const loaded = async () => {
  const sources = new ConnectSources(cloud.db, silentLogger);
  await sources.load();
  return sources.list();
};

it('pages can connect to every proxy and to the sites of its region', async () => {
  expect(await loaded()).toEqual([]);
  await cloud.announce('eu-1', { host: 'eu-1.example.org', region_domain: 'eu.example.org' });
  await cloud.announce('us-1', { host: 'us-1.example.org:8443', region_domain: 'us.example.org' });
  await cloud.announce('us-2', { host: 'us-2.example.org:8443', region_domain: 'us.example.org' });
  await cloud.announce('alone', { host: '198.51.100.7:4443', region_domain: null });
  expect(await loaded()).toEqual([
    'https://*.eu.example.org',
    'https://*.us.example.org:8443',
    'https://198.51.100.7:4443',
    'https://eu-1.example.org',
    'https://us-1.example.org:8443',
    'https://us-2.example.org:8443',
    'wss://*.eu.example.org',
    'wss://*.us.example.org:8443',
    'wss://198.51.100.7:4443',
    'wss://eu-1.example.org',
    'wss://us-1.example.org:8443',
    'wss://us-2.example.org:8443',
  ]);
});

it('an announcement updates the connect sources of this process at once', async () => {
  const sources = new ConnectSources(cloud.db, silentLogger);
  sources.update({ name: 'local', host: '127.0.0.1:4100', regionDomain: 'localhost' });
  const local = [
    'http://*.localhost:4100',
    'http://127.0.0.1:4100',
    'ws://*.localhost:4100',
    'ws://127.0.0.1:4100',
  ];
  expect(sources.list()).toEqual(local);
  sources.update({ name: 'local', host: 'localhost:4200', regionDomain: null });
  expect(sources.list()).toEqual(['http://localhost:4200', 'ws://localhost:4200']);
});

const named = (host: (n: number) => string, regionDomain: (n: number) => string | null, count = 120) =>
  Array.from({ length: count }, (_, n) => ({ host: host(n), regionDomain: regionDomain(n) }));
const regionOf = (n: number) => ['eu', 'us', 'ap', 'af'][n % 4];

describe('the connect sources of many proxies are few', () => {
  it.each<[string, ReturnType<typeof named>, string[]]>([
    [
      'machines of four regions below one domain',
      named(
        (n) => `${regionOf(n)}-fsn-${n}.example.org`,
        (n) => `${regionOf(n)}.example.org`,
        1_000,
      ),
      ['https://*.example.org', 'wss://*.example.org'],
    ],
    [
      'machines below the domains of their regions',
      named(
        (n) => `fsn-${n}.${regionOf(n)}.example.org`,
        (n) => `${regionOf(n)}.example.org`,
      ),
      ['af', 'ap', 'eu', 'us']
        .flatMap((region) => [`https://*.${region}.example.org`, `wss://*.${region}.example.org`])
        .toSorted(),
    ],
    [
      'a domain for each machine',
      named(
        (n) => `proxy.m${n}.example.org:8443`,
        () => null,
      ),
      ['https://*.example.org:8443', 'wss://*.example.org:8443'],
    ],
    [
      'machines of one domain beside one of another',
      [
        ...named(
          (n) => `eu-${n}.example.org`,
          () => null,
        ),
        { host: 'proxy.example.com', regionDomain: null },
      ],
      [
        'https://*.example.org',
        'https://proxy.example.com',
        'wss://*.example.org',
        'wss://proxy.example.com',
      ],
    ],
    [
      'bare addresses and unrelated domains',
      named(
        (n) => (n % 2 === 0 ? `198.51.${n >> 8}.${n & 255}` : `proxy-${n}.example`),
        () => null,
      ),
      ['https:', 'wss:'],
    ],
    [
      'addresses of the machine itself',
      named(
        (n) => `127.0.0.1:${4_000 + n}`,
        () => null,
      ),
      ['http:', 'ws:'],
    ],
  ])('%s', (_, proxies, expected) => {
    const sources = new ConnectSources(cloud.db, silentLogger);
    for (const [n, addresses] of proxies.entries()) sources.update({ name: `proxy-${n}`, ...addresses });
    expect(sources.list()).toEqual(expected);
  });
});

it('a domain above several machines is named from the eleventh machine on', () => {
  const sources = new ConnectSources(cloud.db, silentLogger);
  const add = (n: number) =>
    sources.update({ name: `eu-${n}`, host: `eu-${n}.example.org`, regionDomain: null });
  for (let n = 1; n <= 10; n += 1) add(n);
  expect(sources.list()).toHaveLength(20);
  add(11);
  expect(sources.list()).toEqual(['https://*.example.org', 'wss://*.example.org']);
});

it('the header of a page names the domain of twelve proxies instead of each machine', async () => {
  for (let n = 0; n < 12; n += 1) {
    await cloud.announce(`fleet-${n}`, { host: `fleet-${n}.solar.example.org`, region_domain: null });
  }
  const page = await fetch(cloud.url, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(' https://*.solar.example.org ');
  expect(policy).not.toContain('fleet-');
  // The smallest default buffer of nginx takes 4,096 bytes of all headers; sources of others here are part of these.
  expect(Buffer.byteLength([...page.headers].flat().join('\r\n'))).toBeLessThan(1_536);
});

it.each(['evil.example;script-src', 'evil.example,x', "'self'", '[2001:db8::1]:443', '*', ''])(
  'a host that no policy can name is left out: %s',
  (host) => {
    const sources = new ConnectSources(cloud.db, silentLogger);
    sources.update({ name: 'evil', host, regionDomain: host });
    expect(sources.list()).toEqual([]);
  },
);
