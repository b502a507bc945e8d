import type { OwnTicket } from '@heliograph/contracts';
import { Anchor } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { siteQuery } from '../sites/site/queries.ts';
import { STATE_LABELS } from '../sites/site/recovery/labels.ts';
import type { Fact } from '../ui/facts.tsx';

type TicketOfSite = Pick<OwnTicket, 'id' | 'state' | 'site' | 'recovery_session'>;

/**
 * The support recovery session about a ticket, and the way to one.
 *
 * @param opens the permission at the site of those who let support in, or ask for that
 * @returns false where there is neither
 */
export function useAccessFact(ticket: TicketOfSite, opens: 'consent' | 'support'): Fact | false {
  const { t } = useTranslation('recovery');
  const { id, state, site, recovery_session: session } = ticket;
  const siteId = session?.site_id ?? site?.id;
  const { data } = useQuery({
    ...siteQuery(siteId ?? 0),
    ...(siteId === undefined && { queryFn: skipToken }),
  });
  const permissions = data?.permissions ?? [];
  const isOpen = session?.state === 'requested' || session?.state === 'active';
  const mayOpen = !isOpen && state !== 'closed' && permissions.includes(opens);
  if (session === null && !mayOpen) return false;
  const path = `/sites/${siteId}/support`;
  const label = session !== null && t(STATE_LABELS[session.state].label);
  return {
    name: t('title'),
    value: (
      <>
        {label !== false && permissions.includes(opens) ? (
          <Anchor component={Link} href={path}>
            {label}
          </Anchor>
        ) : (
          label
        )}
        {label !== false && mayOpen && ' · '}
        {mayOpen && (
          <Anchor component={Link} href={`${path}?ticket_id=${id}`}>
            {t(opens === 'consent' ? 'letIn' : 'ask')}
          </Anchor>
        )}
      </>
    ),
  };
}
