import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { siteInvitationsQuery } from './site-invitations-query.ts';

/** Few visitors have one. */
const SiteInvitationCard = lazy(async () => ({
  default: (await import('./site-invitation-card.tsx')).SiteInvitationCard,
}));

interface SiteInvitationCardsProps {
  /** Only the invitation to this site. */
  readonly siteId?: number;
}

/** The sites that the visitor was added to and has not accepted, where there are any. */
export function SiteInvitationCards({ siteId }: SiteInvitationCardsProps) {
  const { data } = useQuery(siteInvitationsQuery);
  const invitations = data?.filter(({ site }) => siteId === undefined || site.id === siteId) ?? [];
  if (invitations.length === 0) return null;
  return (
    <Suspense fallback={null}>
      {invitations.map((invitation) => (
        <SiteInvitationCard key={invitation.site.id} invitation={invitation} />
      ))}
    </Suspense>
  );
}
