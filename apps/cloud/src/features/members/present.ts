import type { SiteMember, SiteRevocation } from '@heliograph/contracts';
import type { MemberRecord } from './repository.ts';
import type { RevocationRecord } from './revocation-repository.ts';

export type { MemberRecord };

export function presentMember(member: MemberRecord): SiteMember {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    role: member.role,
  };
}

export function presentRevocation({ siteId, subject, userId, revokedAt }: RevocationRecord): SiteRevocation {
  return { site_id: siteId, subject, user_id: userId, revoked_at: revokedAt.toISOString() };
}
