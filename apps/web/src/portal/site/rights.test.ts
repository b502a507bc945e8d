import type { SiteRole } from '@heliograph/client';
import { expect, it } from 'vitest';
import { rightsOn } from './rights.ts';

const NAMES = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Example' };
const SITE = {
  organization: { id: 5, name: 'Installers', cloud_host: null },
  users: (['owner', 'admin', 'member'] as const).map((role, at) => ({ id: at + 1, ...NAMES, role })),
};
const NOTHING = { mayWrite: false, mayManage: false, mayHandOver: false, seesConnections: false };

it.each<[SiteRole, object]>([
  ['owner', { mayWrite: true, mayManage: true, mayHandOver: true, seesConnections: true }],
  ['admin', { mayWrite: true, mayManage: true, mayHandOver: false, seesConnections: true }],
  ['member', NOTHING],
])('of its %s', (role, rights) => {
  const id = ['owner', 'admin', 'member'].indexOf(role) + 1;
  expect(rightsOn(SITE, { user: { id }, is_operator: false, organizations: [] })).toEqual({
    role,
    ...rights,
  });
});

it.each<[SiteRole | null, number, boolean]>([
  ['owner', 5, true],
  ['admin', 5, true],
  ['member', 5, false],
  [null, 5, false],
  ['owner', 6, false],
])('of the %s of organization %i', (role, id, mayManage) => {
  const reader = { user: { id: 9 }, is_operator: false, organizations: [{ id, role }] };
  expect(rightsOn(SITE, reader)).toEqual({ role: null, ...NOTHING, mayManage });
});

it('of an operator end at the settings of the device', () => {
  expect(rightsOn(SITE, { user: { id: 9 }, is_operator: true, organizations: [] })).toEqual({
    role: null,
    mayWrite: false,
    mayManage: true,
    mayHandOver: true,
    seesConnections: true,
  });
});

it('of somebody who works for an organization that the site is not of', () => {
  const reader = { user: { id: 9 }, is_operator: false, organizations: [{ id: 5, role: 'owner' as const }] };
  expect(rightsOn({ ...SITE, organization: null }, reader).mayManage).toBe(false);
});
