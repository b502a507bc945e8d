import { expect, it } from 'vitest';
import { deviceUrl } from './device-url.ts';

it('leads to an address, and to its port', () => {
  expect(deviceUrl('192.168.1.7')).toBe('http://192.168.1.7/');
  expect(deviceUrl('[fe80::1]:4002', '/configuration')).toBe('http://[fe80::1]:4002/configuration');
});

it.each([null, '', 'evil.example/x?a=', 'evil.example', '192.168.1.7@evil.example'])(
  'leads nowhere from %j',
  (text) => {
    expect(deviceUrl(text)).toBeUndefined();
  },
);
