import { ApiError } from '@heliograph/client';
import type { TicketWithMessages } from '@heliograph/contracts';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { personName } from '../../shared/format/person-name.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { NotFound } from '../frame/not-found.tsx';
import { organizationPermissions } from '../organization/permissions.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { idInPath } from '../parts/id-in-path.ts';
import { NamedSite } from '../parts/named-site.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { cloud } from '../session/cloud.ts';
import { usePortalSession } from '../session/session.ts';
import { useAccessFact } from '../support/access-fact.tsx';
import { Conversation } from '../support/conversation.tsx';
import { ticketQuery, ticketSessionsQuery } from './queries.ts';
import { ReplyForm } from './reply-form.tsx';
import { SessionNote } from './session-note.tsx';
import { useStaff } from './staff-page.tsx';
import { TicketForm } from './ticket-form.tsx';
import { STATE_LABELS } from './ticket-labels.ts';

/** A ticket for those who handle it. */
export function Page() {
  const id = idInPath(useParams<{ ticket?: string }>().ticket);
  return id === undefined ? <NotFound /> : <TicketPage key={id} id={id} />;
}

function TicketPage({ id }: { readonly id: number }) {
  const { t } = useTranslation('staff');
  const { base } = useStaff();
  const query = useQuery(ticketQuery(id));
  const { data: sessions = [] } = useQuery(ticketSessionsQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <QueryResult query={query}>
      {(ticket) => (
        <Stack gap="lg">
          <Anchor component={Link} href={`${base}/tickets`}>
            {t('tickets.back')}
          </Anchor>
          <Stack gap="xs">
            <PageTitle text={ticket.subject} />
            <Group gap="sm">
              <StatusBadge tone={ticket.awaiting === 'support' ? 'warning' : 'neutral'}>
                {t(STATE_LABELS[ticket.state])}
              </StatusBadge>
              <Text c="dimmed">{t('number', { number: id, ns: 'tickets' })}</Text>
            </Group>
          </Stack>
          <About base={base} ticket={ticket} />
          <Conversation
            side="support"
            messages={ticket.messages}
            events={sessions.map((session) => ({
              key: `session-${session.id}`,
              at: session.requested_at,
              content: <SessionNote session={session} />,
            }))}
            download={(attachmentId) => cloud.getTicketAttachment({ id, attachment_id: attachmentId })}
          />
          <Card title={t('tickets.reply')}>
            {ticket.state === 'closed' ? <Text>{t('tickets.closed')}</Text> : <ReplyForm ticket={ticket} />}
          </Card>
          <Card title={t('tickets.change')}>
            <TicketForm key={ticket.updated_at + ticket.state} base={base} ticket={ticket} />
          </Card>
        </Stack>
      )}
    </QueryResult>
  );
}

interface AboutProps {
  readonly base: string;
  readonly ticket: TicketWithMessages;
}

function About({ base, ticket }: AboutProps) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const isSeller = useIsSeller();
  const access = useAccessFact(ticket, 'support');
  const { requester, site, order, follow_up_of: before, waiting_since: since } = ticket;
  const name = personName(requester);
  const facts: readonly (Fact | false)[] = [
    {
      name: t('tickets.requester'),
      value: (
        <>
          {name !== requester.email && `${name} · `}
          <a href={`mailto:${requester.email}`}>{requester.email}</a>
        </>
      ),
    },
    site !== null && {
      name: t('site', { ns: 'tickets' }),
      value: <NamedSite site={site} />,
    },
    order !== null && {
      name: t('orders.one'),
      value: isSeller ? <Link href={`${base}/orders/${order.id}`}>{order.number}</Link> : order.number,
    },
    before !== null && {
      name: t('tickets.continues'),
      value: <Link href={`${base}/tickets/${before}`}>{t('number', { number: before, ns: 'tickets' })}</Link>,
    },
    access,
    since !== null && { name: t('tickets.waiting'), value: format.dateTime(since) },
  ];
  return <Facts facts={facts.filter((fact) => fact !== false)} />;
}

/** Whether the reader sees the orders of the staff, too: owners, admins and operators do. */
function useIsSeller(): boolean {
  const { organizationId } = useStaff();
  const { organizations, is_operator: isOperator } = usePortalSession();
  const role = organizations.find(({ id }) => id === organizationId)?.role ?? null;
  return organizationPermissions(role, isOperator).isManager;
}
