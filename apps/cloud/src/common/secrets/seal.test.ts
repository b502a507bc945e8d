import { expect, it } from 'vitest';
import { deriveKeys } from './derive-key.ts';
import { reseal, seal, unseal } from './seal.ts';

const secret = (used: string, accepted?: string) => ({ used, accepted });
const key = deriveKeys(secret('a secret of the tests'), 'tests');
const sealed = seal(key, Buffer.from('plain'));

it('unseal returns the sealed text, and the same text is sealed differently each time', () => {
  expect(unseal(key, sealed).toString()).toBe('plain');
  expect(seal(key, Buffer.from('plain'))).not.toEqual(sealed);
});

it('opens with no other key, and nothing that was changed', () => {
  expect(() => unseal(deriveKeys(secret('a secret of the tests'), 'other'), sealed)).toThrow();
  expect(() => unseal(deriveKeys(secret('another secret'), 'tests'), sealed)).toThrow();
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => unseal(key, changed)).toThrow();
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => unseal(key, sealed.subarray(0, length))).toThrow();
  }
});

it('an accepted secret opens what it sealed, and sealing it again needs it no more', () => {
  const before = deriveKeys(secret('the one before'), 'tests');
  const both = deriveKeys(secret('the new one', 'the one before'), 'tests');
  const after = deriveKeys(secret('the new one'), 'tests');
  const old = seal(before, Buffer.from('plain'));
  expect(unseal(both, old).toString()).toBe('plain');
  const resealed = reseal(both, old);
  expect(unseal(after, resealed ?? old).toString()).toBe('plain');
  expect(() => unseal(after, old)).toThrow();
  expect(reseal(both, resealed ?? old)).toBeUndefined();
  // Neither key reads it: it stays, and those after it are sealed again.
  expect(reseal(after, old)).toBeUndefined();
});
