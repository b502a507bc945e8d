import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

/** Ranges outside the public internet (IANA special-purpose address registries), and those that embed IPv4 addresses. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const PUBLIC = ['8.0.0.0/8', '93.184.0.0/16', '172.32.0.0/12', '2606:2800::/32', '2a00::/12'];

/** Any address of a range, written one way or another. */
function addressIn(range: string): fc.Arbitrary<string> {
  const [network, prefix] = ipaddr.parseCIDR(range);
  const start = network.toByteArray();
  return fc.uint8Array({ minLength: start.length, maxLength: start.length }).map((random) => {
    const bytes = start.map((byte, index) => {
      const fixed = Math.min(8, Math.max(0, prefix - index * 8));
      const mask = (0xff << (8 - fixed)) & 0xff;
      return (byte & mask) | ((random[index] ?? 0) & ~mask & 0xff);
    });
    return ipaddr.fromByteArray(bytes).toString();
  });
}

describe('isPublicAddress', () => {
  it.each(SPECIAL)('addresses of %s are not public', (range) => {
    fc.assert(fc.property(addressIn(range), (address) => !isPublicAddress(address)));
  });

  it.each(PUBLIC)('addresses of %s are public', (range) => {
    fc.assert(fc.property(addressIn(range), isPublicAddress));
  });

  it.each([
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '192.167.255.255',
    '192.169.0.0',
  ])('%s beside a private network is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '::ffff:10.0.0.1',
    '::FFFF:8.8.8.8',
    '::127.0.0.1',
    'fe80::1%eth0',
    '0177.0.0.1',
    '2130706433',
    'localhost',
    '',
  ])('"%s", no address or one that embeds another, is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
