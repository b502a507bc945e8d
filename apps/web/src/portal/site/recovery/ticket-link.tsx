import type { RecoverySession } from '@heliograph/contracts';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { usePortalSession } from '../../session/session.ts';
import { ownTicketQuery } from './queries.ts';

interface TicketLinkProps {
  readonly ticketId: number;
  /** The link leads to the page of those who are let in; undefined: to that of the requester. */
  readonly party?: RecoverySession['party'] | undefined;
}

/** The ticket that a session is about, as a link for those who see it. */
export function TicketLink({ ticketId, party }: TicketLinkProps) {
  return party === undefined ? (
    <OwnTicketLink ticketId={ticketId} />
  ) : (
    <StaffTicketLink ticketId={ticketId} party={party} />
  );
}

function OwnTicketLink({ ticketId }: { readonly ticketId: number }) {
  const { data: isOwn = false } = useQuery(ownTicketQuery(ticketId));
  return <TicketNumber id={ticketId} href={isOwn ? `/user/tickets/${ticketId}` : undefined} />;
}

function StaffTicketLink({ ticketId, party }: Required<TicketLinkProps>) {
  const { organizations, is_operator: isOperator } = usePortalSession();
  const id = party?.organization?.id;
  const isOurs = isOperator || organizations.some((one) => one.id === id);
  const base = id === undefined ? '/operator' : `/organizations/${id}`;
  return <TicketNumber id={ticketId} href={isOurs ? `${base}/tickets/${ticketId}` : undefined} />;
}

function TicketNumber({ id, href }: { readonly id: number; readonly href: string | undefined }) {
  const { t } = useTranslation('recovery');
  const label = t('ticket', { number: id });
  return href === undefined ? (
    label
  ) : (
    <Anchor component={Link} href={href}>
      {label}
    </Anchor>
  );
}
