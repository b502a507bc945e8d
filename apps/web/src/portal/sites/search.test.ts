import { expect, it } from 'vitest';
import { queryOf, type SiteSearch, searchFrom, searchParams } from './search.ts';

const SEARCHES: [string, SiteSearch, string][] = [
  ['', { text: '', filter: 'all' }, ''],
  ['q=roof+south', { text: 'roof south', filter: 'all' }, 'roof south'],
  ['show=online', { text: '', filter: 'online' }, 'online:true'],
  ['q=meadow&show=offline', { text: 'meadow', filter: 'offline' }, 'meadow online:false'],
];

it.each(SEARCHES)('?%s', (address, search, query) => {
  expect(searchFrom(new URLSearchParams(address))).toEqual(search);
  expect(searchParams(search).toString()).toBe(address);
  expect(queryOf(search)).toBe(query);
});

it('shows all for what it does not know', () => {
  expect(searchFrom(new URLSearchParams('show=constructor')).filter).toBe('all');
});
