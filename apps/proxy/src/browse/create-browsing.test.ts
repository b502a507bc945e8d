import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { testConfig } from '../../test/test-system.ts';
import type { ProxyConfig } from '../config/config.ts';
import type { BrowsingOptions } from './browsing.ts';
import { createBrowsing } from './create-browsing.ts';

test.each<[Partial<ProxyConfig>, string, string | undefined]>([
  [{}, 'meadow.localhost:4001', 'meadow'],
  [{ bind: '::1' }, 'meadow.localhost', 'meadow'],
  [{ host: 'eu-1.example.org:8443' }, 'meadow.eu.example.org:8443', 'meadow'],
  [{ host: 'eu-1.example.org', regionDomain: 'sun.example' }, 'meadow.sun.example', 'meadow'],
  [{ host: 'eu-1.example.org', regionDomain: 'sun.example' }, 'meadow.eu.example.org', undefined],
  [{ host: 'eu-1.example.org', regionDomain: 'example.org' }, 'eu-1.example.org', undefined],
  [{ host: '192.0.2.1' }, 'meadow.192.0.2.1', undefined],
  [{ bind: '0.0.0.0' }, 'meadow.localhost', undefined],
  [{ bind: '::' }, 'meadow.localhost', undefined],
])('a proxy with %j finds at the host %s the site %s', (config, host, site) => {
  const parts = {} as BrowsingOptions;
  const browsing = createBrowsing({ ...testConfig('http://cloud.example'), ...config }, parts);
  expect(browsing?.siteOf({ headers: { host } } as IncomingMessage)).toBe(site);
});
