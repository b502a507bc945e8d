import { expect, it } from 'vitest';
import { deviceUrl } from './device-url.ts';

it('an address with and without a port has a URL', () => {
  expect(deviceUrl('192.168.1.7')).toBe('http://192.168.1.7/');
  expect(deviceUrl('[fe80::1]:4002', '/configuration')).toBe('http://[fe80::1]:4002/configuration');
});

it.each([null, '', 'evil.example/x?a=', 'evil.example', '192.168.1.7@evil.example'])(
  'the text %j is no address and has no URL',
  (text) => {
    expect(deviceUrl(text)).toBeUndefined();
  },
);
