import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressList } from './address-list.ts';
import { canonicalAddress, networkOf } from './client-address.ts';

describe('canonicalAddress and networkOf', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '::1', '0:0:0:0::/64'],
    ['::', '::', '0:0:0:0::/64'],
  ])('the address %s is written %s and counted as %s', (text, canonical, network) => {
    expect(canonicalAddress(text)).toBe(canonical);
    expect(networkOf(canonical)).toBe(network);
  });

  test.each(['', 'unknown', '1.2.3', '1.2.3.4.5', '01.2.3.4', '::g', 'fe80::1%eth0', '[::1]', '1.2.3.4:80'])(
    'the text %j is not an address',
    (text) => {
      expect(canonicalAddress(text)).toBeUndefined();
    },
  );

  test('IPv6 addresses with the same first half share a network', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, (listener, back, other) => {
        fc.pre(!/^0:0:0:0$/.test(listener));
        const [one = '', two = ''] = [back, other].map((end) => canonicalAddress(`${listener}:${end}`));
        expect(networkOf(one)).toBe(networkOf(two));
        expect(networkOf(one)).toBe(`${listener}::/64`);
      }),
    );
  });
});

describe('AddressList', () => {
  const list = new AddressList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']);

  test.each([
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::', false],
    ['::1', true],
    ['not an address', false],
    ['', false],
  ])('the list %s: %s', (address, has) => {
    expect(list.has(address)).toBe(has);
  });

  test.each([
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    'localhost',
    '10.0.0.0/-1',
    '/8',
  ])('the list refuses %s', (text) => {
    expect(() => new AddressList([text])).toThrow(`"${text}"`);
  });
});
