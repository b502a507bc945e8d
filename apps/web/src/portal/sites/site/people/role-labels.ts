import type { SiteRole } from '@heliograph/client';

export const ROLE_HINTS = {
  owner: 'roles.ownerHint',
  admin: 'roles.adminHint',
  member: 'roles.memberHint',
} as const satisfies Record<SiteRole, string>;
