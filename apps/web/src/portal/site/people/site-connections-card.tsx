import type { SiteConnections } from '@heliograph/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { type ApplicationConnections, groupByApplication } from '../../parts/group-by-application.ts';
import { personName } from '../../parts/person-name.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Row, Rows } from '../../parts/rows.tsx';
import { cloud } from '../../session/cloud.ts';
import { connectionsQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import classes from './people-tab.module.css';

/** Access to the site without a role. */
export function SiteConnectionsCard() {
  const { t } = useTranslation('members');
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
              {groupByApplication(connections).map((application) => (
                <ApplicationRow key={application.key} application={application} />
              ))}
            </Rows>
          );
        }}
      </QueryResult>
    </Card>
  );
}

interface OrganizationRowProps {
  readonly share: SiteConnections['organizations'][number];
}

/** An organization whose people may read the site, until an operator ends it. */
function OrganizationRow({ share }: OrganizationRowProps) {
  const { t } = useTranslation('members');
  const { date } = useFormat();
  const since = date(share.created_at);
  return (
    <Row
      title={share.organization.name}
      facts={[
        t('connections.organization'),
        share.shared_by === null
          ? t('connections.sharedOn', { date: since })
          : t('connections.sharedBy', { name: personName(share.shared_by), date: since }),
        t('connections.byOperator'),
      ]}
    />
  );
}

type SiteConnection = SiteConnections['connections'][number];

/** An application that reads the site, and the people who allowed it. */
function ApplicationRow({ application }: { readonly application: ApplicationConnections<SiteConnection> }) {
  const { t } = useTranslation('members');
  const { name, kind, organization, connections } = application;
  return (
    <Row
      title={name}
      facts={[
        t(kind === 'agent' ? 'connections.agent' : 'connections.application'),
        organization !== null && t('connections.of', { organization }),
      ]}
    >
      <div className={classes.allowances}>
        <Rows label={t('connections.allowedBy', { name })}>
          {connections.map((connection) => (
            <Allowance key={connection.id} application={name} connection={connection} />
          ))}
        </Rows>
      </div>
    </Row>
  );
}

interface AllowanceProps {
  readonly application: string;
  readonly connection: SiteConnection;
}

function Allowance({ application, connection }: AllowanceProps) {
  const { t } = useTranslation('members');
  const { date, dateTime } = useFormat();
  const queries = useQueryClient();
  const { site } = useSite();
  const person = personName(connection.user);
  const end = async (): Promise<void> => {
    await cloud.endSiteConnection({ id: site.id, connection_id: connection.id });
    await queries.invalidateQueries({ queryKey: connectionsQuery(site.id).queryKey });
  };
  return (
    <Row
      title={person}
      facts={[
        t('connections.since', { date: date(connection.created_at) }),
        t('connections.until', { date: dateTime(connection.expires_at) }),
      ]}
      actions={
        <ConfirmedButton
          label={t('connections.end')}
          description={t('actionOf', { action: t('connections.end'), name: person })}
          title={t('connections.endOf', { application, person })}
          act={end}
        >
          <p>{t('connections.endText', { application })}</p>
        </ConfirmedButton>
      }
    />
  );
}
