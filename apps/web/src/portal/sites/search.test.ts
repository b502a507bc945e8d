import { expect, it } from 'vitest';
import { queryOf, type SiteSearch, searchFrom, searchParams } from './search.ts';

const SEARCHES: [string, SiteSearch, string][] = [
  ['', { words: '', shown: 'all' }, ''],
  ['q=roof+south', { words: 'roof south', shown: 'all' }, 'roof south'],
  ['show=online', { words: '', shown: 'online' }, 'online:true'],
  ['q=meadow&show=offline', { words: 'meadow', shown: 'offline' }, 'meadow online:false'],
];

it.each(SEARCHES)('?%s', (address, search, query) => {
  expect(searchFrom(new URLSearchParams(address))).toEqual(search);
  expect(searchParams(search).toString()).toBe(address);
  expect(queryOf(search)).toBe(query);
});

it('shows all for what it does not know', () => {
  expect(searchFrom(new URLSearchParams('show=constructor')).shown).toBe('all');
});
