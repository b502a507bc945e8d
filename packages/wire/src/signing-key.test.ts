import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSigningKey, signingKeyFrom, uidOf } from './signing-key.ts';

// The key pair of RFC 8037, appendix A.1, whose thumbprint stands in appendix A.3.
const RFC_8037 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('a signing key', () => {
  it('the key id is the thumbprint of the public key', async () => {
    const key = await signingKeyFrom(RFC_8037);
    expect(key.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('the public JWK has no private part', async () => {
    const { publicJwk } = await signingKeyFrom(RFC_8037);
    const { d: _private, ...rest } = RFC_8037;
    expect(publicJwk).toEqual({
      ...rest,
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  it('a restored key pair equals the original', async () => {
    const made = await generateSigningKey();
    expect((await signingKeyFrom(made.privateJwk)).publicJwk).toEqual(made.publicJwk);
  });
});

describe('the uid of a device', () => {
  it('the uid is the first 100 bits of the SHA-256 of the public key, in base32', () => {
    const bits = createHash('sha256').update(Buffer.from(RFC_8037.x, 'base64url')).digest();
    const binary = [...bits].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const expected = Array.from({ length: 20 }, (_, i) => {
      const five = Number.parseInt(binary.slice(i * 5, i * 5 + 5), 2);
      return 'abcdefghijklmnopqrstuvwxyz234567'[five];
    });
    expect(uidOf(RFC_8037)).toBe(expected.join(''));
    expect(uidOf(RFC_8037)).toMatch(/^[a-z2-7]{20}$/);
  });

  it('different keys have different uids', async () => {
    const keys = await Promise.all([generateSigningKey(), generateSigningKey()]);
    const [first, second] = keys.map(({ publicJwk }) => uidOf(publicJwk));
    expect(first).not.toBe(second);
  });
});
