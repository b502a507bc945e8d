import { expect, it } from 'vitest';
import { clientAddressFrom } from './client-address.ts';

it.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64'],
  ['unknown', null, null],
  ['192.0.2.1:4711', null, null],
])('%s is a visitor from %s in %s', (ip, address, network) => {
  expect(clientAddressFrom(ip)).toEqual({ address, network });
});
