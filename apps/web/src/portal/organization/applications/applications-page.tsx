import type { ApplicationWithSecret, OwnOrganization } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { SecretCards } from '../../parts/secret-cards.tsx';
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
  const query = applicationsQuery(id);
  return (
    <SecretCards
      entries={useQuery(query)}
      onChanged={() => void queries.invalidateQueries(query)}
      labels={{
        title: t('applications.title'),
        text: t('applications.text'),
        start: t('applications.start'),
        none: t('applications.none'),
        noneText: t('applications.noneText'),
      }}
      form={({ onMade, onCancel }) => (
        <NewApplicationForm organizationId={id} onCreated={onMade} onCancel={onCancel} />
      )}
      secret={(application: ApplicationWithSecret) => <CredentialsCard application={application} />}
      card={(application, actions) => (
        <ApplicationCard
          key={application.client_id}
          organizationId={id}
          application={application}
          {...actions}
        />
      )}
    />
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
