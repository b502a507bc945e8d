import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { MoreButton } from '../more-button.tsx';
import { QueryResult } from '../query-result.tsx';
import { Rows } from '../rows.tsx';
import { requestsQuery } from './queries.ts';
import { RequestRow } from './request-row.tsx';

interface RequestsCardProps {
  /** Shows what this organization decides, and gives it the devices; left out, all that there is. */
  readonly organizationId?: number;
}

/** Who waits for a device to be activated. */
export function RequestsCard({ organizationId }: RequestsCardProps) {
  const { t } = useTranslation('organization');
  const requests = useInfiniteQuery(requestsQuery);
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: requestsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: ['operator', 'devices'] }),
    ]);
  };
  return (
    <Card title={t('requests.title')}>
      <Text c="dimmed">{t('requests.text')}</Text>
      <QueryResult query={requests}>
        {(all) => {
          const list = all.filter(
            (one) => organizationId === undefined || one.organization_id === organizationId,
          );
          return list.length === 0 ? (
            <Empty title={t('requests.none')} />
          ) : (
            <Rows label={t('requests.title')}>
              {list.map((request) => (
                <RequestRow
                  key={request.uid}
                  request={request}
                  organizationId={organizationId}
                  onDecided={() => void refresh()}
                />
              ))}
            </Rows>
          );
        }}
      </QueryResult>
      <MoreButton list={requests} />
    </Card>
  );
}
