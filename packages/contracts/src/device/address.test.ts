import { expect, it } from 'vitest';
import { isDeviceAddress } from './address.ts';

it.each([
  '192.168.1.7',
  '10.0.0.1:4001',
  '127.0.0.1:46319',
  '[fe80::1]',
  '[2001:db8::7]:8080',
  '[::ffff:10.0.0.1]',
])('%s is where a device can be', (text) => {
  expect(isDeviceAddress(text)).toBe(true);
});

it.each([
  '',
  'evil.example/x?a=',
  'evil.example',
  '192.168.1.7/x',
  '192.168.1.7@evil.example',
  'user@192.168.1.7',
  '192.168.1.7:80:80',
  '192.168.1.7:99999',
  '192.168.1.7\n',
  ' 192.168.1.7',
  '256.1.1.1',
  '010.1.1.1',
  '1.2.3',
  '0x7f.0.0.1',
  'fe80::1',
  '[fe80::1',
  '[fe80::1%eth0]',
  '[:::::]',
  '[1.2.3.4]',
  '１９２.168.1.7',
])('%j is not', (text) => {
  expect(isDeviceAddress(text)).toBe(false);
});
