import { expect, it } from 'vitest';
import { siteHost } from './site-host.ts';

it.each([
  ['us-htz-1.example.org', 'home.us.example.org'],
  ['eu-1.example.org:8443', 'home.eu.example.org:8443'],
  ['proxy.example.org', 'home.proxy.example.org'],
  ['localhost:4001', 'home.localhost:4001'],
  ['127.0.0.1:4001', 'home.localhost:4001'],
  ['[::1]:4001', 'home.localhost:4001'],
  ['192.168.1.7:4001', undefined],
  ['[2001:db8::7]:4001', undefined],
])('a site at %s is browsed at %s', (proxy, expected) => {
  expect(siteHost('Home', proxy)).toBe(expected);
});
