import type { ApplicationWithSecret, OwnOrganization } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { Announcement } from '../../parts/announcement.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { OrganizationPage } from '../organization-page.tsx';
import { applicationsQuery } from '../queries.ts';
import { ApplicationCard, ClientId } from './application-card.tsx';
import { NewApplicationForm } from './application-forms.tsx';

/** The programs with which an organization asks its customers for access. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('applications.title')} forManagers>
      {(organization) => <Applications organization={organization} />}
    </OrganizationPage>
  );
}

function Applications({ organization: { id } }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<ApplicationWithSecret>();
  const applications = useQuery(applicationsQuery(id));
  const refresh = (): void => void queries.invalidateQueries(applicationsQuery(id));
  const showSecret = (application: ApplicationWithSecret): void => {
    setShown(application);
    setMaking(false);
    refresh();
  };
  const startMaking = (): void => {
    setShown(undefined);
    setMaking(true);
  };
  return (
    <>
      <Card
        title={t('applications.title')}
        action={!isMaking && <Button onClick={startMaking}>{t('applications.start')}</Button>}
      >
        <Text>{t('applications.text')}</Text>
        {isMaking && (
          <NewApplicationForm organizationId={id} onCreated={showSecret} onCancel={() => setMaking(false)} />
        )}
      </Card>
      {shown !== undefined && (
        <Announcement>
          <CredentialsCard application={shown} />
        </Announcement>
      )}
      <QueryResult query={applications}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('applications.none')}>{t('applications.noneText')}</Empty>
          ) : (
            list.map((application) => (
              <ApplicationCard
                key={application.client_id}
                organizationId={id}
                application={application}
                onChanged={refresh}
                onSecret={showSecret}
              />
            ))
          )
        }
      </QueryResult>
    </>
  );
}

/** The credentials of a program, shown once after its creation. */
function CredentialsCard({ application }: { readonly application: ApplicationWithSecret }) {
  const { t } = useTranslation('organization');
  const { name, client_id: clientId, client_secret: secret } = application;
  return (
    <Card title={t('credentials.title', { name })}>
      <ClientId clientId={clientId} />
      {secret === null ? (
        <Text>{t('credentials.noSecret')}</Text>
      ) : (
        <OnceShownSecret label={t('credentials.secret')} secret={secret} />
      )}
    </Card>
  );
}
