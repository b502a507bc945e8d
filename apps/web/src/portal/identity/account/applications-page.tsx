import type { Connection } from '@heliograph/client';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { type ApplicationConnections, groupByApplication } from '../../access/group-by-application.ts';
import { SCOPE_LABELS } from '../../access/scope-labels.ts';
import { AccountPage } from '../../frame/account-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { NamedSite } from '../../ui/named-site.tsx';
import { Tags } from '../../ui/tags/tags.tsx';
import { useLastUse } from './use-last-use.ts';

const connectionsQuery = queryOptions({
  queryKey: ['account', 'connections'],
  queryFn: () => cloud.listConnections(),
});

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
            groupByApplication(list).map((application) => (
              <ApplicationCard key={application.key} application={application} onEnded={refresh} />
            ))
          )
        }
      </QueryResult>
    </AccountPage>
  );
}

interface ApplicationCardProps {
  readonly application: ApplicationConnections<Connection>;
  readonly onEnded: () => void;
}

/** One third party, with each site that it may see. */
function ApplicationCard({ application, onEnded }: ApplicationCardProps) {
  const { t } = useTranslation('account');
  const { name, kind, organization, connections } = application;
  const by = organization === null ? undefined : t('applications.of', { organization });
  return (
    <Card title={name}>
      <Text c="dimmed">{kind === 'agent' ? t('applications.agent') : by}</Text>
      <Rows label={name}>
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} onEnded={onEnded} />
        ))}
      </Rows>
    </Card>
  );
}

function ConnectionRow({
  connection,
  onEnded,
}: {
  readonly connection: Connection;
  readonly onEnded: () => void;
}) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { id, site, application, scopes, created_at: since, expires_at: until } = connection;
  const lastUse = useLastUse(connection);
  const what =
    site === null ? t('applications.everySite') : (site.name ?? t('applications.site', { id: site.id }));
  return (
    <Row
      title={site === null ? what : <NamedSite site={site}>{what}</NamedSite>}
      facts={[
        t('life.allowed', { at: format.dateTime(since) }),
        t('life.until', { at: format.dateTime(until) }),
        lastUse,
      ]}
      actions={
        <ConfirmedButton
          label={t('applications.end')}
          description={t('applications.endThat', { application: application.name, site: what })}
          title={t('applications.endTitle', { application: application.name })}
          act={() => cloud.endConnection({ id })}
          onDone={onEnded}
        >
          {t('applications.endText', { application: application.name, site: what })}
        </ConfirmedButton>
      }
    >
      <Tags label={t('scopes.title')} tags={scopes.map((scope) => t(SCOPE_LABELS[scope]))} />
    </Row>
  );
}
