import type { AlertRule } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { entriesOf, freeId, parseNumber, withEntry, withoutEntry } from './rule-entries.ts';

const rule = (id: string, more: Partial<AlertRule> = {}): AlertRule => ({
  id,
  name: null,
  enabled: true,
  severity: 'warning',
  condition: { kind: 'above', topics: ['a/b'], limit: 1, for_s: 0 },
  source: 'built_in',
  explanation: '',
  changed: false,
  matching_topics: 1,
  ...more,
});

const RULES = [
  rule('delivered'),
  rule('changed', { changed: true }),
  rule('fixed', { source: 'configuration' }),
  rule('own_1', { source: 'owner' }),
];
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);

describe('the rules that a device is sent', () => {
  it('rules as delivered and those of the configuration file are not among them', () => {
    expect(idsOf(entriesOf(RULES))).toEqual(['changed', 'own_1']);
  });

  it('a changed rule is there once', () => {
    const { source: _, explanation: __, changed: ___, matching_topics: ____, ...entry } = rule('delivered');
    expect(idsOf(withEntry(RULES, entry))).toEqual(['changed', 'own_1', 'delivered']);
    expect(idsOf(withEntry(RULES, { ...entry, id: 'changed' }))).toEqual(['own_1', 'changed']);
  });

  it('a removed rule is gone, and a built-in one as delivered', () => {
    expect(idsOf(withoutEntry(RULES, 'own_1'))).toEqual(['changed']);
    expect(idsOf(withoutEntry(RULES, 'changed'))).toEqual(['own_1']);
  });

  it('a new rule has an id that no other one has', () => {
    expect(freeId(RULES)).toBe('own_2');
    expect(freeId([])).toBe('own_1');
  });
});

it.each([
  ['12', 12],
  [' -3,5 ', -3.5],
  ['−2', -2],
  ['－３，５', -3.5],
  ['', null],
  ['a lot', null],
])('the text %j is the number %j', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});
