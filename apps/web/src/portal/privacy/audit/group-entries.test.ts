import type { AuditEntry } from '@heliograph/client';
import { expect, it } from 'vitest';
import { groupEntries } from './group-entries.ts';

const ADA = { id: 1, email: 'ada@example.org', name: 'Ada' };

/** @param minute of an hour */
function entry(id: number, minute: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    at: new Date(Date.UTC(2026, 5, 1, 12, minute)).toISOString(),
    action: 'site.renamed',
    actor: ADA,
    via: 'api',
    address: null,
    site_id: 7,
    site_name: 'roof',
    organization_id: null,
    organization_name: null,
    user_id: null,
    user: null,
    device_uid: null,
    details: {},
    ...changes,
  };
}

const idsOf = (entries: readonly AuditEntry[]) =>
  groupEntries(entries).map((group) => group.map(({ id }) => id));

it('entries of the same action, actor and site are one run, whatever changed and from where', () => {
  const others = { address: '203.0.113.7', details: { from: 'a', to: 'b' } };
  expect(idsOf([entry(3, 50), entry(2, 40, others), entry(1, 15)])).toEqual([[3, 2, 1]]);
  expect(idsOf([])).toEqual([]);
});

it.each<[string, Partial<AuditEntry>]>([
  ['action', { action: 'site.released' }],
  ['actor', { actor: { ...ADA, id: 2 } }],
  ['actor, which is the service', { actor: null, via: 'service' }],
  ['site', { site_id: 8 }],
  ['account', { user_id: 3 }],
  ['device', { device_uid: 'abc' }],
])('an entry of another %s between two divides them', (_what, change) => {
  expect(idsOf([entry(3, 50), entry(2, 49, change), entry(1, 48)])).toEqual([[3], [2], [1]]);
});

it('entries that are more than half an hour apart are no run', () => {
  expect(idsOf([entry(3, 59), entry(2, 58), entry(1, 27)])).toEqual([[3, 2], [1]]);
});
