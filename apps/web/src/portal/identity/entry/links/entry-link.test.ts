import { describe, expect, it } from 'vitest';
import { type EntryLink, entryLink, withoutSecrets } from './entry-link.ts';

it.each<[search: string, hash: string, EntryLink | undefined]>([
  ['', '', undefined],
  ['?return_to=%2Fsites', '#section', undefined],
  ['', '#confirm/hgc_1-2_3', { kind: 'confirm', token: 'hgc_1-2_3' }],
  ['', '#email/abc', { kind: 'email', token: 'abc' }],
  ['', '#password/reset/abc', { kind: 'reset', token: 'abc' }],
  ['', '#password/set/abc', { kind: 'set', token: 'abc', siteId: null }],
  ['', '#password/set/abc?site_id=7', { kind: 'set', token: 'abc', siteId: 7 }],
  ['', '#password/set/abc?site_id=7/../x', { kind: 'set', token: 'abc', siteId: null }],
  ['?token=abc&return_to=%2Fuser', '', { kind: 'session', token: 'abc' }],
  ['', '#token=abc&return_to=/user', { kind: 'session', token: 'abc' }],
  ['', '#?token=abc', { kind: 'session', token: 'abc' }],
  ['?token=', '', undefined],
])('the address %s%s holds the link %j', (search, hash, link) => {
  expect(entryLink(search, hash)).toEqual(link);
});

describe('withoutSecrets', () => {
  it.each([
    ['', '#confirm/abc', ''],
    ['?return_to=%2Fuser&token=abc', '', '?return_to=%2Fuser'],
    ['?a=1', '#token=abc&return_to=/user', '?a=1&return_to=%2Fuser'],
    ['', '#password/set/abc?return_to=/evil', ''],
  ])('the query of %s%s without secrets is "%s"', (search, hash, left) => {
    expect(withoutSecrets(search, hash)).toBe(left);
  });
});
