import type { Ticket } from '@heliograph/contracts';
import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { SearchField } from '../../../../shared/components/form/search-field.tsx';
import { Empty } from '../../../../shared/components/states/empty.tsx';
import { personName } from '../../../../shared/format/person-name.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { useFilter } from '../../../ui/lists/use-filter.ts';
import { NamedSite } from '../../../ui/named-site.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { FilterSelect } from '../filter-select.tsx';
import { ticketsQuery } from '../queries.ts';
import { searchOf } from '../search-of.ts';
import { StaffPage, useStaff } from '../staff-page.tsx';
import { PRIORITY_LABELS, STATE_LABELS, TURN_LABELS } from './ticket-labels.ts';

/** The tickets that an organization or the operators handle. */
export function Page() {
  const { t } = useTranslation('staff');
  return (
    <StaffPage part={t('tickets.title')}>
      <TicketsCard />
    </StaffPage>
  );
}

function TicketsCard() {
  const { t } = useTranslation('staff');
  const { organizationId, base } = useStaff();
  const { values, set } = useFilter('q', 'state', 'awaiting', 'assignee', 'priority', 'organization_id');
  const { q, ...keys } = values;
  const tickets = useInfiniteQuery({
    ...ticketsQuery(organizationId, searchOf(q, keys)),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('tickets.title')}>
      <Group gap="sm">
        <SearchField label={t('tickets.search')} value={q} onChange={(text) => set('q', text)} />
        <FilterSelect
          label={t('tickets.state')}
          all={t('tickets.anyState')}
          value={keys.state}
          choices={translated(STATE_LABELS, t)}
          onChange={(value) => set('state', value)}
        />
        <FilterSelect
          label={t('tickets.turn')}
          all={t('tickets.anyTurn')}
          value={keys.awaiting}
          choices={translated(TURN_LABELS, t)}
          onChange={(value) => set('awaiting', value)}
        />
        <FilterSelect
          label={t('tickets.assignee')}
          all={t('tickets.anyAssignee')}
          value={keys.assignee}
          choices={{ me: t('tickets.mine'), none: t('tickets.unassigned') }}
          onChange={(value) => set('assignee', value)}
        />
        <FilterSelect
          label={t('tickets.priority')}
          all={t('tickets.anyPriority')}
          value={keys.priority}
          choices={translated(PRIORITY_LABELS, t)}
          onChange={(value) => set('priority', value)}
        />
        {organizationId === null && (
          <FilterSelect
            label={t('tickets.handler')}
            all={t('tickets.anyHandler')}
            value={keys.organization_id}
            choices={{ none: t('tickets.operator') }}
            onChange={(value) => set('organization_id', value)}
          />
        )}
      </Group>
      <QueryResult query={tickets}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('tickets.none')} />
          ) : (
            <Rows label={t('tickets.title')}>
              {list.map((ticket) => (
                <TicketRow key={ticket.id} base={base} ticket={ticket} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
      <MoreButton list={tickets} />
    </Card>
  );
}

interface TicketRowProps {
  readonly base: string;
  readonly ticket: Ticket;
}

function TicketRow({ base, ticket }: TicketRowProps) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const { id, subject, state, awaiting, priority, requester, assignee, site, order, organization } = ticket;
  return (
    <Row
      title={
        <>
          <Anchor component={Link} href={`${base}/tickets/${id}`}>
            {subject}
          </Anchor>{' '}
          {awaiting === 'support' ? (
            <StatusBadge tone="warning">{t('tickets.turns.support')}</StatusBadge>
          ) : (
            <StatusBadge>{t(STATE_LABELS[state])}</StatusBadge>
          )}
          {(priority === 'high' || priority === 'urgent') && (
            <StatusBadge tone="danger">{t(PRIORITY_LABELS[priority])}</StatusBadge>
          )}
        </>
      }
      facts={[
        t('number', { number: id, ns: 'tickets' }),
        personName(requester),
        site !== null && <NamedSite key="site" site={site} />,
        order !== null && t('order', { number: order.number, ns: 'tickets' }),
        base === '/operator' && organization?.name,
        assignee === null ? t('tickets.unassigned') : t('tickets.with', { name: assignee.name }),
        t('changed', { ago: format.ago(ticket.last_message_at), ns: 'tickets' }),
      ]}
    />
  );
}

function translated<Key extends string, Value extends string>(
  labels: Readonly<Record<Key, Value>>,
  t: (label: Value) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries<Value>(labels).map(([key, label]) => [key, t(label)]));
}
