import { describe, expect, test } from 'vitest';
import { SiteHosts } from './site-host.ts';

const hosts = new SiteHosts('eu.example.org', 'p1.eu.example.org:8443');

describe('SiteHosts', () => {
  test.each([
    ['meadow.eu.example.org', 'meadow'],
    ['meadow.eu.example.org:4001', 'meadow'],
    ['Meadow.EU.example.org', 'meadow'],
    ['meadow.eu.example.org.', 'meadow'],
    ['meadow.eu.example.org.:443', 'meadow'],
    ['4-x.eu.example.org', '4-x'],
    [`${'a'.repeat(63)}.eu.example.org`, 'a'.repeat(63)],
  ])('the host %s belongs to the site %s', (host, name) => {
    expect(hosts.nameIn(host)).toBe(name);
  });

  test.each([
    '',
    'eu.example.org',
    '.eu.example.org',
    'a.b.eu.example.org',
    'meadow.us.example.org',
    'meadow.eu.example.org.evil.example',
    'meadoweu.example.org',
    '-a.eu.example.org',
    'a_b.eu.example.org',
    'a/b.eu.example.org',
    `${'a'.repeat(64)}.eu.example.org`,
    'p1.eu.example.org',
    'P1.eu.example.org:8443',
    '[::1]:4001',
    '127.0.0.1:4001',
    'meadow.eu.example.org..',
  ])('the host %s belongs to no site', (host) => {
    expect(hosts.nameIn(host)).toBeUndefined();
  });

  test('the region domain may have a port', () => {
    expect(new SiteHosts('localhost:4001', '127.0.0.1:4001').nameIn('meadow.localhost:4001')).toBe('meadow');
  });
});
