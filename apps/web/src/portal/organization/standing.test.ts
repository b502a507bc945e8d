import { expect, it } from 'vitest';
import { standingOf } from './standing.ts';

it('is what a role in an organization allows, or running the service', () => {
  expect(standingOf('owner', false)).toEqual({ isManager: true, isOwner: true });
  expect(standingOf('admin', false)).toEqual({ isManager: true, isOwner: false });
  expect(standingOf('member', false)).toEqual({ isManager: false, isOwner: false });
  expect(standingOf(null, false)).toEqual({ isManager: false, isOwner: false });
  expect(standingOf(null, true)).toEqual({ isManager: true, isOwner: true });
  expect(standingOf('member', true)).toEqual({ isManager: true, isOwner: true });
});
