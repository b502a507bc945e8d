import type { RecoverySession } from '@heliograph/contracts';
import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { usePortalSession } from '../../../session/session.ts';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { EVENT_LABELS, isEventKind, STATE_LABELS } from './labels.ts';
import { ownTicketQuery, recoveryEventsQuery } from './queries.ts';

interface SessionRowProps {
  readonly session: RecoverySession;
  /** Default: who is let in. */
  readonly title?: ReactNode;
  /** Whether the reader is of those who are let in. */
  readonly isSupport: boolean;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A session: who, why, how far, until when, and what was done. */
export function SessionRow({ session, title, isSupport, actions, children }: SessionRowProps) {
  const { t } = useTranslation('recovery');
  const { dateTime } = useFormat();
  const { state, party, access, reason, requested_by: requester, participants, changes } = session;
  const {
    expires_at: expiresAt,
    request_expires_at: lapsesAt,
    ended_at: endedAt,
    end_reason: cause,
    ticket_id: ticketId,
  } = session;
  const { label, tone } = STATE_LABELS[state];
  return (
    <Row
      title={
        <>
          {title ?? party.organization?.name ?? t('operator')}
          <StatusBadge tone={tone}>{t(label)}</StatusBadge>
        </>
      }
      facts={[
        t(`accesses.${access}`),
        state === 'active' && expiresAt !== null && t('until', { time: dateTime(expiresAt) }),
        state === 'requested' && lapsesAt !== null && t('lapses', { time: dateTime(lapsesAt) }),
        endedAt !== null && dateTime(endedAt),
        cause !== null && t(`endReasons.${cause}`),
        ticketId !== null && <TicketLink ticketId={ticketId} party={isSupport ? party : undefined} />,
        requester !== null && t('requestedBy', { name: requester.name }),
        participants.length > 0 && t('usedBy', { names: participants.map(({ name }) => name).join(', ') }),
        participants.length > 0 && t('changes', { number: changes }),
      ]}
      actions={actions}
    >
      <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{reason}</Text>
      {children}
      {participants.length > 0 && <Events session={session} />}
    </Row>
  );
}

function Events({ session }: { readonly session: RecoverySession }) {
  const { t } = useTranslation('recovery');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        aria-expanded={isOpen}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(!isOpen)}
      >
        {t('events')}
      </Button>
      {isOpen && <EventList siteId={session.site.id} sessionId={session.id} />}
    </>
  );
}

function EventList({ siteId, sessionId }: { readonly siteId: number; readonly sessionId: number }) {
  const { t } = useTranslation('recovery');
  const { dateTime } = useFormat();
  const query = useQuery(recoveryEventsQuery(siteId, sessionId));
  return (
    <QueryResult query={query}>
      {(events) =>
        events.length === 0 ? (
          <Text c="dimmed">{t('eventsNone')}</Text>
        ) : (
          <Rows label={t('events')}>
            {events.map(({ id, at, kind, user, subject, succeeded }) => (
              <Row
                key={id}
                title={isEventKind(kind) ? t(EVENT_LABELS[kind]) : kind.replaceAll('_', ' ')}
                facts={[subject, !succeeded && t('refused'), user?.name, dateTime(at)]}
              />
            ))}
          </Rows>
        )
      }
    </QueryResult>
  );
}

interface TicketLinkProps {
  readonly ticketId: number;
  /** The link leads to the page of those who are let in; undefined: to that of the requester. */
  readonly party?: RecoverySession['party'] | undefined;
}

/** The ticket that a session is about, as a link for those who see it. */
function TicketLink({ ticketId, party }: TicketLinkProps) {
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
