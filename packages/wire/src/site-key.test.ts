import { expect, it } from 'vitest';
import { deriveSiteKey, siteKeyDigest, siteKeyMatches } from './site-key.ts';

const SECRET = new TextEncoder().encode('a secret of the cloud, long enough');

it('a site key is the same every time, and another for another site, version or cloud', () => {
  const other = new TextEncoder().encode('a secret of another cloud, as long');
  const keys = [
    deriveSiteKey(SECRET, 7, 1),
    deriveSiteKey(SECRET, 71, 1),
    deriveSiteKey(SECRET, 7, 11),
    deriveSiteKey(other, 7, 1),
  ];
  expect(deriveSiteKey(SECRET, 7, 1)).toBe(keys[0]);
  expect(new Set(keys).size).toBe(4);
});

it('a site key matches its own digest alone', () => {
  const key = deriveSiteKey(SECRET, 7, 1);
  const digest = siteKeyDigest(key);
  expect(siteKeyMatches(key, digest)).toBe(true);
  expect(siteKeyMatches(`${key} `, digest)).toBe(false);
  expect(siteKeyMatches('', digest)).toBe(false);
  expect(siteKeyMatches(key, '')).toBe(false);
  expect(siteKeyMatches(key, key)).toBe(false);
});
