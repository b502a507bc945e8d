import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { AccountPage } from './account-page.tsx';
import { ApplicationCard } from './application-card.tsx';
import { connectedApplications } from './connected-applications.ts';
import { connectionsQuery } from './queries.ts';

export function Page() {
  const { t } = useTranslation('account');
  const connections = useQuery(connectionsQuery);
  const refresh = (): void => void queries.invalidateQueries(connectionsQuery);
  return (
    <AccountPage part={t('applications.title')}>
      <Text>{t('applications.text')}</Text>
      <QueryResult query={connections}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('applications.none')}>{t('applications.noneText')}</Empty>
          ) : (
            connectedApplications(list).map((application) => (
              <ApplicationCard key={application.key} application={application} onEnded={refresh} />
            ))
          )
        }
      </QueryResult>
    </AccountPage>
  );
}
