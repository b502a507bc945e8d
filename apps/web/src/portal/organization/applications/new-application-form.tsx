import type { ApplicationScope, ApplicationWithSecret } from '@heliograph/client';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { ApplicationScopes } from './application-scopes.tsx';
import { RedirectField } from './redirect-field.tsx';
import { redirectLines } from './redirect-lines.ts';

interface NewApplicationFormProps {
  readonly organizationId: number;
  readonly onMade: (application: ApplicationWithSecret) => void;
  readonly onCancel: () => void;
}

export function NewApplicationForm({ organizationId, onMade, onCancel }: NewApplicationFormProps) {
  const { t } = useTranslation('organization');
  const [name, setName] = useState('');
  const [kind, setKind] = useState('server');
  const [uris, setUris] = useState('');
  const [scopes, setScopes] = useState<readonly ApplicationScope[]>(['openid', 'sites:read_single']);
  const { submit, isPending, fields, error } = useSubmit(
    () =>
      cloud.organizations
        .applications(organizationId)
        .create({ name, browserOnly: kind === 'browser', redirectUris: redirectLines(uris), scopes }),
    { onDone: onMade },
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
          description={t('applications.nameHint')}
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fields.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('applications.kind')}
          description={kind === 'browser' ? t('applications.browserMeans') : t('applications.serverMeans')}
          value={kind}
          data={[
            { value: 'server', label: t('applications.server') },
            { value: 'browser', label: t('applications.browser') },
          ]}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        <RedirectField value={uris} error={fields.redirect_uris} onChange={setUris} />
        <ApplicationScopes value={scopes} error={fields.scopes} onChange={setScopes} />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('applications.make')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onCancel}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
