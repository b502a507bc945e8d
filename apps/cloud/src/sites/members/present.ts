import type { SiteInvitation, SiteMember } from '@heliograph/contracts';
import type { MemberRecord } from './rows.ts';
import type { ReceivedSiteInvitation } from './site-invitations.ts';

export type { MemberRecord };

export function presentMember(member: MemberRecord): SiteMember {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    role: member.role,
    ...(member.pending && { pending: true }),
  };
}

export function presentInvitation(invitation: ReceivedSiteInvitation): SiteInvitation {
  return {
    site: { id: invitation.siteId, name: invitation.siteName },
    role: invitation.role,
    invited_by: invitation.inviterName ?? invitation.inviterEmail,
    former_owner: invitation.isTransfer ? invitation.formerOwnerName : null,
    created_at: invitation.createdAt.toISOString(),
  };
}
