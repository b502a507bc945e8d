import type { SiteRole } from '@heliograph/client';

/** The least first. */
export const ROLES = ['member', 'admin', 'owner'] as const satisfies readonly SiteRole[];

export const ROLE_LABELS = {
  member: 'roles.member',
  admin: 'roles.admin',
  owner: 'roles.owner',
} as const satisfies Record<SiteRole, string>;

export const ROLE_DESCRIPTIONS = {
  member: 'roles.memberMeans',
  admin: 'roles.adminMeans',
  owner: 'roles.ownerMeans',
} as const satisfies Record<SiteRole, string>;

/** A role as a select has it; what there is not is the least. */
export function parseRole(text: string): SiteRole {
  return ROLES.find((role) => role === text) ?? 'member';
}
