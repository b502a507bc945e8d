import { expect, it } from 'vitest';
import { queryOf, type SiteSearch, searchFrom, searchParams } from './search.ts';

const ALL = searchFrom(new URLSearchParams());

const SEARCHES: [string, SiteSearch, string][] = [
  ['', ALL, ''],
  ['q=roof+south', { ...ALL, text: 'roof south' }, 'roof south'],
  ['show=online', { ...ALL, filter: 'online' }, 'state:online'],
  ['q=meadow&show=offline', { ...ALL, text: 'meadow', filter: 'offline' }, 'meadow state:offline'],
  ['show=critical', { ...ALL, filter: 'critical' }, 'alert:critical'],
  ['view=table', { ...ALL, layout: 'table' }, ''],
  [
    'view=table&sort=last_seen&direction=descending&page=3',
    { ...ALL, layout: 'table', sort: 'last_seen', isDescending: true, page: 3 },
    '',
  ],
];

it.each(SEARCHES)(
  'the query ?%s of the address and the search convert into each other',
  (address, search, query) => {
    expect(searchFrom(new URLSearchParams(address))).toEqual(search);
    expect(searchParams(search, 'cards').toString()).toBe(address);
    expect(queryOf(search)).toBe(query);
  },
);

it('an address without a layout has the one that the browser remembers, and names any other', () => {
  expect(searchFrom(new URLSearchParams(), 'table').layout).toBe('table');
  expect(searchFrom(new URLSearchParams('view=cards'), 'table').layout).toBe('cards');
  expect(searchParams(ALL, 'table').toString()).toBe('view=cards');
});

it.each(['0', '-1', '1.5', 'x', '1e9'])('the page %s of an address is the first one', (page) => {
  expect(searchFrom(new URLSearchParams({ page })).page).toBe(1);
});

it('an unknown filter shows all sites', () => {
  expect(searchFrom(new URLSearchParams('show=constructor')).filter).toBe('all');
});
