import { expect, it } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { seal, unseal } from './seal.ts';

const key = deriveKey('a secret of the tests', 'tests');
const sealed = seal(key, Buffer.from('plain'));

it('unseal returns the sealed text, and the same text is sealed differently each time', () => {
  expect(unseal(key, sealed).toString()).toBe('plain');
  expect(seal(key, Buffer.from('plain'))).not.toEqual(sealed);
});

it('opens with no other key, and nothing that was changed', () => {
  expect(() => unseal(deriveKey('a secret of the tests', 'other'), sealed)).toThrow();
  expect(() => unseal(deriveKey('another secret', 'tests'), sealed)).toThrow();
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    expect(() => unseal(key, changed)).toThrow();
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => unseal(key, sealed.subarray(0, length))).toThrow();
  }
});
