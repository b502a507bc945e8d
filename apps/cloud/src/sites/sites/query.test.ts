import { expect, it } from 'vitest';
import { parseSiteQuery } from './query.ts';

const word = (...searchTerms: string[]) => ({ searchTerms, filters: [] });
const filter = (...filters: object[]) => ({ searchTerms: [], filters });

it.each([
  [undefined, word()],
  ['', word()],
  ['   ', word()],
  ['deye  roof\tnorth', word('deye', 'roof', 'north')],
  ['name:my-site', filter({ key: 'name', value: 'my-site' })],
  ['roof name:my-site', { searchTerms: ['roof'], filters: [{ key: 'name', value: 'my-site' }] }],
  ['uid:abc inverter:Deye', filter({ key: 'uid', value: 'abc' }, { key: 'inverter', value: ['Deye'] })],
  [
    'roof inverter:Sun Flower 6k battery:B uid:x y',
    {
      searchTerms: ['roof', 'Flower', '6k', 'y'],
      filters: [
        { key: 'inverter', value: ['Sun', 'Sun Flower', 'Sun Flower 6k'] },
        { key: 'battery', value: ['B'] },
        { key: 'uid', value: 'x' },
      ],
    },
  ],
  ['uid:ABC', filter({ key: 'uid', value: 'abc' })],
  ['inverter:"Sun Flower 6k"', filter({ key: 'inverter', value: ['Sun Flower 6k'] })],
  ['battery:" US5000 "', filter({ key: 'battery', value: ['US5000'] })],
  [
    'inverter:"Sun Flower" barn name:"my site"',
    {
      searchTerms: ['barn'],
      filters: [
        { key: 'inverter', value: ['Sun Flower'] },
        { key: 'name', value: 'my site' },
      ],
    },
  ],
  // A quote without its pair, and quotes that are no value, are characters like any other.
  [
    'inverter:"Sun Flower',
    { searchTerms: ['Flower'], filters: [{ key: 'inverter', value: ['"Sun', '"Sun Flower'] }] },
  ],
  ['"solar barn"', word('"solar', 'barn"')],
  ['colour:"light blue"', word('colour:"light blue"')],
  ['name:""', word('name:""')],
  ['online:true', filter({ key: 'online', value: true })],
  ['channel:beta', filter({ key: 'channel', value: true })],
  ['channel:stable', filter({ key: 'channel', value: false })],
  ['user_id:123', filter({ key: 'user_id', value: 123 })],
  ['last_seen_after:2026-06-01', filter({ key: 'last_seen_after', value: new Date('2026-06-01') })],
  [
    'inverter_params_phases:3',
    filter({ key: 'inverter_params_phases', value: { param: 'phases', text: '3' } }),
  ],
  ['battery_params_bms:jk:2', filter({ key: 'battery_params_bms', value: { param: 'bms', text: 'jk:2' } })],
  // Invalid values and unknown keys are text.
  ['online:perhaps', word('online:perhaps')],
  ['user_id:me', word('user_id:me')],
  ['user_id:99999999999999', word('user_id:99999999999999')],
  ['last_seen_after:yesterday', word('last_seen_after:yesterday')],
  ['last_seen_after:+275760-01-01', word('last_seen_after:+275760-01-01')],
  ['colour:blue', word('colour:blue')],
  ['constructor:x', word('constructor:x')],
  ['name:', word('name:')],
  ['inverter_params_:3', word('inverter_params_:3')],
  [':x', word(':x')],
  ['http://x', word('http://x')],
])('a site query %j is parsed into words and filters', (q, expected) => {
  const { searchTerms, filters } = parseSiteQuery(q);
  expect({ searchTerms, filters: filters.map(({ key, value }) => ({ key, value })) }).toEqual(expected);
});

it('a site query keeps the first sixteen terms', () => {
  expect(parseSiteQuery('a '.repeat(400)).searchTerms).toHaveLength(16);
});
