import { useQuery } from '@tanstack/react-query';
import { invitationsQuery } from '../queries.ts';
import { InvitationCard } from './invitation-card.tsx';

/** The visitor's invitations, where there are any. */
export function InvitationCards() {
  const invitations = useQuery(invitationsQuery);
  return invitations.data?.map((invitation) => (
    <InvitationCard key={invitation.organization.id} invitation={invitation} />
  ));
}
