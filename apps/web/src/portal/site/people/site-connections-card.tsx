import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Rows } from '../../parts/rows.tsx';
import { connectionsQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import { ApplicationRow } from './application-row.tsx';
import { groupedByApplication } from './grouped.ts';
import { OrganizationRow } from './organization-row.tsx';

/** Who reads the site without having a role on it. */
export function SiteConnectionsCard() {
  const { t } = useTranslation('sites');
  const { site } = useSite();
  return (
    <Card title={t('connections.title')}>
      <QueryResult query={useQuery(connectionsQuery(site.id))}>
        {({ organizations, connections }) => {
          if (organizations.length === 0 && connections.length === 0) {
            return <Empty title={t('connections.none')}>{t('connections.noneHint')}</Empty>;
          }
          return (
            <Rows label={t('connections.title')}>
              {organizations.map((share) => (
                <OrganizationRow key={`organization ${share.organization.id}`} share={share} />
              ))}
              {groupedByApplication(connections).map((application) => (
                <ApplicationRow key={application.key} application={application} />
              ))}
            </Rows>
          );
        }}
      </QueryResult>
    </Card>
  );
}
