import type { Application } from '@heliograph/client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { RedirectField } from './redirect-field.tsx';
import { redirectLines } from './redirect-lines.ts';

interface ChangeApplicationFormProps {
  readonly organizationId: number;
  readonly application: Application;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function ChangeApplicationForm(props: ChangeApplicationFormProps) {
  const { organizationId, application, onChanged, onClose } = props;
  const { t } = useTranslation('organization');
  const [name, setName] = useState(application.name);
  const [uris, setUris] = useState(application.redirect_uris.join('\n'));
  const { submit, isPending, fields, error } = useSubmit(
    () =>
      cloud.organizations
        .applications(organizationId)
        .change(application.client_id, { name, redirectUris: redirectLines(uris) }),
    {
      onDone: () => {
        onChanged();
        onClose();
      },
    },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('applications.name')}
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RedirectField value={uris} error={fields.redirect_uris} onChange={setUris} />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('branding.save')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
