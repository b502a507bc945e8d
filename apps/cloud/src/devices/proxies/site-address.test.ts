import { expect, it } from 'vitest';
import { siteAddress } from './site-address.ts';

it.each([
  ['us-htz-1.example.org', 'us.example.org', 'home.us.example.org'],
  ['eu-1.example.org:8443', 'sites.example.net', 'home.sites.example.net:8443'],
  ['127.0.0.1:4001', 'localhost', 'home.localhost:4001'],
  ['[2001:db8::7]:4001', 'example.org', 'home.example.org:4001'],
  ['192.168.1.7:4001', null, undefined],
])('a site at %s with the region domain %s is browsed at %s', (host, regionDomain, expected) => {
  const url = `https://${host}`;
  const address = siteAddress('Home', { host, regionDomain, url });
  expect(address).toEqual(expected && { host: expected, url: `https://${expected}` });
});
