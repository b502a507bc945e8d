import { expect, it } from 'vitest';
import { parseSiteQuery } from './query.ts';

const word = (...searchTerms: string[]) => ({ searchTerms, filters: [] });
const filter = (...filters: object[]) => ({ searchTerms: [], filters });

it.each([
  [undefined, word()],
  ['', word()],
  ['   ', word()],
  ['deye  roof\tnorth', word('deye', 'roof', 'north')],
  ['name:my-site', filter({ key: 'name', text: 'my-site' })],
  ['roof name:my-site', { searchTerms: ['roof'], filters: [{ key: 'name', text: 'my-site' }] }],
  ['uid:abc inverter:Deye', filter({ key: 'uid', text: 'abc' }, { key: 'inverter', models: ['Deye'] })],
  [
    'roof inverter:Sun Flower 6k battery:B uid:x y',
    {
      searchTerms: ['roof', 'Flower', '6k', 'y'],
      filters: [
        { key: 'inverter', models: ['Sun', 'Sun Flower', 'Sun Flower 6k'] },
        { key: 'battery', models: ['B'] },
        { key: 'uid', text: 'x' },
      ],
    },
  ],
  ['uid:ABC', filter({ key: 'uid', text: 'abc' })],
  ['inverter:"Sun Flower 6k"', filter({ key: 'inverter', models: ['Sun Flower 6k'] })],
  ['battery:" US5000 "', filter({ key: 'battery', models: ['US5000'] })],
  [
    'inverter:"Sun Flower" barn name:"my site"',
    {
      searchTerms: ['barn'],
      filters: [
        { key: 'inverter', models: ['Sun Flower'] },
        { key: 'name', text: 'my site' },
      ],
    },
  ],
  // A quote without its pair, and quotes that are no value, are characters like any other.
  [
    'inverter:"Sun Flower',
    { searchTerms: ['Flower'], filters: [{ key: 'inverter', models: ['"Sun', '"Sun Flower'] }] },
  ],
  ['"solar barn"', word('"solar', 'barn"')],
  ['colour:"light blue"', word('colour:"light blue"')],
  ['name:""', word('name:""')],
  ['online:true', filter({ key: 'online', is: true })],
  ['channel:beta', filter({ key: 'beta', is: true })],
  ['channel:stable', filter({ key: 'beta', is: false })],
  ['user_id:123', filter({ key: 'user_id', id: 123 })],
  ['last_seen_after:2026-06-01', filter({ key: 'last_seen_after', date: new Date('2026-06-01') })],
  ['inverter_params_phases:3', filter({ key: 'inverter_params', param: 'phases', text: '3' })],
  ['battery_params_bms:jk:2', filter({ key: 'battery_params', param: 'bms', text: 'jk:2' })],
  // Invalid values and unknown keys are text.
  ['online:perhaps', word('online:perhaps')],
  ['user_id:me', word('user_id:me')],
  ['user_id:99999999999999', word('user_id:99999999999999')],
  ['last_seen_after:yesterday', word('last_seen_after:yesterday')],
  ['last_seen_after:+275760-01-01', word('last_seen_after:+275760-01-01')],
  ['colour:blue', word('colour:blue')],
  ['constructor:x', word('constructor:x')],
  ['name:', word('name:')],
  [':x', word(':x')],
  ['http://x', word('http://x')],
])('a site query %j is parsed into words and filters', (q, expected) => {
  expect(parseSiteQuery(q)).toEqual(expected);
});

it('a site query keeps the first sixteen terms', () => {
  expect(parseSiteQuery('a '.repeat(400)).searchTerms).toHaveLength(16);
});
