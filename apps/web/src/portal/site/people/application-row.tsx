import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { Row, Rows } from '../../parts/rows.tsx';
import { cloud } from '../../session/cloud.ts';
import { connectionsQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import classes from './application-row.module.css';
import type { ConnectedApplication, SiteConnection } from './grouped.ts';
import { personName } from './person-name.ts';

/** An application that reads the site, and whoever allowed it to. */
export function ApplicationRow({ application }: { readonly application: ConnectedApplication }) {
  const { t } = useTranslation('sites');
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
  const { t } = useTranslation('sites');
  const { date, dateTime } = useFormat();
  const queries = useQueryClient();
  const { site } = useSite();
  const person = personName(connection.user);
  const end = async (): Promise<void> => {
    await cloud.connections.revokeOnSite(site.id, connection.id);
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
