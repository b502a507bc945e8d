import { expect, it } from 'vitest';
import { isSiteName, renamedAddress } from './site-name.ts';

it.each([
  ['meadow', true],
  ['Roof-2', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['-roof', false],
  ['roof-', false],
  ['my roof', false],
  ['köln', false],
  ['', false],
])('the validity of the name "%s" is %s', (name, may) => {
  expect(isSiteName(name)).toBe(may);
});

it.each([
  ['http://demo.localhost:4001', 'http://meadow.localhost:4001'],
  ['https://demo.us.example.org', 'https://meadow.us.example.org'],
])('the address %s becomes %s with another name', (url, renamed) => {
  expect(renamedAddress(url, 'Meadow')).toBe(renamed);
});
