import { Anchor, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { AccountPage } from '../account/account-page.tsx';
import { idInPath } from '../parts/id-in-path.ts';
import { MoreButton } from '../parts/more-button.tsx';
import { NamedSite } from '../parts/named-site.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { NewTicketForm } from './new-ticket-form.tsx';
import { ticketsQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

/** The visitor's requests to support. */
export function Page() {
  const { t } = useTranslation('tickets');
  const [search] = useSearchParams();
  const orderId = idInPath(search.get('order_id') ?? '');
  const [isWriting, setWriting] = useState(orderId !== undefined);
  const [, navigate] = useLocation();
  return (
    <AccountPage part={t('support')}>
      {isWriting && (
        <Card title={t('new')}>
          <NewTicketForm
            orderId={orderId}
            onSent={({ id }) => {
              void queries.invalidateQueries(ticketsQuery);
              navigate(`/user/tickets/${id}`);
            }}
            onCancel={() => setWriting(false)}
          />
        </Card>
      )}
      <Card
        title={t('list')}
        action={!isWriting && <Button onClick={() => setWriting(true)}>{t('start')}</Button>}
      >
        <TicketList />
      </Card>
    </AccountPage>
  );
}

function TicketList() {
  const { t } = useTranslation('tickets');
  const format = useFormat();
  const tickets = useInfiniteQuery(ticketsQuery);
  return (
    <QueryResult query={tickets}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('none')}>{t('noneText')}</Empty>
        ) : (
          <>
            <Rows label={t('list')}>
              {list.map(({ id, subject, state, site, updated_at: changedAt }) => (
                <Row
                  key={id}
                  title={
                    <Anchor component={Link} href={`/user/tickets/${id}`}>
                      {subject}
                    </Anchor>
                  }
                  facts={[
                    <StateBadge key="state" state={state} />,
                    t('number', { number: id }),
                    site !== null && <NamedSite key="site" site={site} />,
                    t('changed', { ago: format.ago(changedAt) }),
                  ]}
                />
              ))}
            </Rows>
            <MoreButton list={tickets} />
          </>
        )
      }
    </QueryResult>
  );
}
