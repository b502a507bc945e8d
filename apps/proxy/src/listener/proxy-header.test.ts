import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeProxyHeader, ProxyHeaderFault } from './proxy-header.ts';

const SIGNATURE = '0d0a0d0a000d0a515549540a';
const BEGINNINGS = [
  '',
  SIGNATURE,
  `${SIGNATURE}2111000cc0000207c6336401dc0401bb`,
  `${SIGNATURE}21110014c0000207c6336401dc0401bb2000050100000000`,
  `${SIGNATURE}21110019c0000207c6336401dc0401bb01000268322000050100000000`,
  `${SIGNATURE}2121002420010db800000000000000000000000720010db8000000000000000000000001dc0401bb`,
  Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n').toString('hex'),
].map((hex) => Buffer.from(hex, 'hex'));

test('any bytes are a header, the beginning of one, or a fault', () => {
  const beginning = fc.constantFrom(...BEGINNINGS);
  fc.assert(
    fc.property(beginning, fc.uint8Array({ maxLength: 200 }), fc.nat(80), (begin, rest, cut) => {
      const bytes = Buffer.concat([begin.subarray(0, cut), rest]);
      try {
        const header = decodeProxyHeader(bytes);
        if (header !== undefined) expect(header.length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(ProxyHeaderFault);
      }
    }),
  );
});
