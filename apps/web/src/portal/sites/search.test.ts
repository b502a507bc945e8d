import { expect, it } from 'vitest';
import { queryOf, type SiteSearch, searchFrom, searchParams } from './search.ts';

const SEARCHES: [string, SiteSearch, string][] = [
  ['', { text: '', filter: 'all' }, ''],
  ['q=roof+south', { text: 'roof south', filter: 'all' }, 'roof south'],
  ['show=online', { text: '', filter: 'online' }, 'online:true'],
  ['q=meadow&show=offline', { text: 'meadow', filter: 'offline' }, 'meadow online:false'],
];

it.each(SEARCHES)(
  'the query ?%s of the address and the search convert into each other',
  (address, search, query) => {
    expect(searchFrom(new URLSearchParams(address))).toEqual(search);
    expect(searchParams(search).toString()).toBe(address);
    expect(queryOf(search)).toBe(query);
  },
);

it('an unknown filter shows all sites', () => {
  expect(searchFrom(new URLSearchParams('show=constructor')).filter).toBe('all');
});
