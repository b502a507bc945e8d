import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { ConnectSources } from './connect-sources.ts';
import { ProxyRepository } from './repository.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const loaded = async () => {
  const sources = new ConnectSources(new ProxyRepository(cloud.db), silentLogger);
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
  const sources = new ConnectSources(new ProxyRepository(cloud.db), silentLogger);
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

it.each(['evil.example;script-src', 'evil.example,x', "'self'", '[2001:db8::1]:443', '*', ''])(
  'a host that no policy can name is left out: %s',
  (host) => {
    const sources = new ConnectSources(new ProxyRepository(cloud.db), silentLogger);
    sources.update({ name: 'evil', host, regionDomain: host });
    expect(sources.list()).toEqual([]);
  },
);
