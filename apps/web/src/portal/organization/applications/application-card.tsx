import type { Application, ApplicationWithSecret } from '@heliograph/client';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import { ApplicationFacts } from './application-facts.tsx';
import { ChangeApplicationForm } from './change-application-form.tsx';

interface ApplicationCardProps {
  readonly organizationId: number;
  readonly application: Application;
  readonly onChanged: () => void;
  /** With another secret, which is to be shown now. */
  readonly onSecret: (application: ApplicationWithSecret) => void;
}

/** One application, and what can be done with it. */
export function ApplicationCard({ organizationId, application, onChanged, onSecret }: ApplicationCardProps) {
  const { t } = useTranslation('organization');
  const [isChanging, setChanging] = useState(false);
  const { client_id: clientId, name, browser_only: isPublic } = application;
  const applications = cloud.organizations.applications(organizationId);
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
            act={async () => onSecret(await applications.replaceSecret(clientId))}
          >
            {t('applications.newSecretText')}
          </ConfirmedButton>
        )}
        <ConfirmedButton
          label={t('applications.delete')}
          description={t('applications.deleteThat', { name })}
          title={t('applications.deleteTitle', { name })}
          act={() => applications.delete(clientId)}
          onDone={onChanged}
        >
          {t('applications.deleteText')}
        </ConfirmedButton>
      </Group>
    </Card>
  );
}
