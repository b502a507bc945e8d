import { expect, it } from 'vitest';
import { organizationPermissions } from './permissions.ts';

it('permissions follow from the role in the organization, and an operator has all of them', () => {
  expect(organizationPermissions('owner', false)).toEqual({ isManager: true, isOwner: true });
  expect(organizationPermissions('admin', false)).toEqual({ isManager: true, isOwner: false });
  expect(organizationPermissions('member', false)).toEqual({ isManager: false, isOwner: false });
  expect(organizationPermissions(null, false)).toEqual({ isManager: false, isOwner: false });
  expect(organizationPermissions(null, true)).toEqual({ isManager: true, isOwner: true });
  expect(organizationPermissions('member', true)).toEqual({ isManager: true, isOwner: true });
});
