import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressList } from './address-list.ts';
import { forwardedClient } from './forwarded.ts';

test('any forwarding header resolves to an address', () => {
  const trusted = new AddressList(['10.0.0.0/8', '::1']);
  const part = fc.oneof(
    fc.string(),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('10.0.0.1', '[::1]:80', '"', '%', ':', 'for=', ';', '\\'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      for (const name of ['x-forwarded-for', 'forwarded']) {
        const { address } = forwardedClient({ [name]: parts.join(',') }, '10.9.9.9', trusted);
        expect(isIP(address)).not.toBe(0);
      }
    }),
  );
});
