import type { Application, ApplicationWithSecret, OwnOrganization } from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { CopyButton } from '../../../shared/components/copy/copy-button.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { SecretCards } from '../../access/secret-cards.tsx';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Tags } from '../../ui/tags/tags.tsx';
import { OrganizationPage } from '../organization/organization-page.tsx';
import { applicationsQuery } from '../organization/queries.ts';
import { APPLICATION_SCOPE_LABELS, ChangeApplicationForm, NewApplicationForm } from './application-forms.tsx';
import classes from './applications.module.css';

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

interface ApplicationCardProps {
  readonly organizationId: number;
  readonly application: Application;
  readonly onChanged: () => void;
  /** With another secret, which is to be shown now. */
  readonly onSecret: (application: ApplicationWithSecret) => void;
}

/** One application, and what can be done with it. */
function ApplicationCard({ organizationId, application, onChanged, onSecret }: ApplicationCardProps) {
  const { t } = useTranslation('organization');
  const [isChanging, setChanging] = useState(false);
  const { client_id: clientId, name, browser_only: isPublic } = application;
  const target = { id: organizationId, client_id: clientId };
  if (isChanging) {
    return (
      <Card title={name}>
        <ChangeApplicationForm
          organizationId={organizationId}
          application={application}
          onChanged={onChanged}
          onClose={() => setChanging(false)}
        />
      </Card>
    );
  }
  return (
    <Card title={name}>
      <ApplicationFacts application={application} />
      <Group gap="sm">
        <Button
          variant="default"
          aria-label={t('applications.changeThat', { name })}
          onClick={() => setChanging(true)}
        >
          {t('applications.change')}
        </Button>
        {!isPublic && (
          <ConfirmedButton
            label={t('applications.newSecret')}
            description={t('applications.newSecretFor', { name })}
            title={t('applications.newSecretTitle', { name })}
            act={async () => onSecret(await withFreshSignIn(() => cloud.replaceApplicationSecret(target)))}
          >
            {t('applications.newSecretText')}
          </ConfirmedButton>
        )}
        <ConfirmedButton
          label={t('applications.delete')}
          description={t('applications.deleteThat', { name })}
          title={t('applications.deleteTitle', { name })}
          act={() => cloud.deleteApplication(target)}
          onDone={onChanged}
        >
          {t('applications.deleteText')}
        </ConfirmedButton>
      </Group>
    </Card>
  );
}

function ApplicationFacts({ application }: { readonly application: Application }) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { client_id: clientId, redirect_uris: uris, client_secret_hint: hint, scopes } = application;
  const { created_at: made, last_used_at: used, browser_only: isPublic } = application;
  const addresses = (
    <ul className={classes.uris}>
      {uris.map((uri) => (
        <li key={uri}>{uri}</li>
      ))}
    </ul>
  );
  const facts = [
    { name: t('credentials.id'), value: <ClientId clientId={clientId} /> },
    { name: t('credentials.secret'), value: isPublic ? t('applications.browser') : <code>{hint}</code> },
    { name: t('applications.redirectUris'), value: uris.length === 0 ? t('applications.noUris') : addresses },
    {
      name: t('applications.scopes'),
      value: (
        <Tags
          label={t('applications.scopes')}
          tags={scopes.map((scope) => t(APPLICATION_SCOPE_LABELS[scope]))}
        />
      ),
    },
    { name: t('applications.madeOn'), value: format.date(made) },
    { name: t('applications.lastUsed'), value: used === null ? t('applications.never') : format.ago(used) },
  ];
  return <Facts facts={facts} />;
}

function ClientId({ clientId }: { readonly clientId: string }) {
  const { t } = useTranslation('organization');
  return (
    <Group gap="xs" wrap="nowrap">
      <code style={{ overflowWrap: 'anywhere' }}>{clientId}</code>
      <CopyButton isIcon text={clientId} label={t('credentials.copyId')} />
    </Group>
  );
}
