import type { OwnOrganization } from '@heliograph/client';
import { Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useChangeOrganization } from '../use-change-organization.ts';
import { SaveRow } from './save-row.tsx';

/** Its name, and where its pages are. */
export function IdentityCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, cloud_host: savedHost, cloud_host_vetted: isVetted } = organization;
  // Nothing else is sent: somebody else may be changing the other one.
  const [typed, setTyped] = useState<{ readonly name?: string; readonly host?: string }>({});
  const { name = organization.name, host = savedHost ?? '' } = typed;
  const { submit, isPending, isSaved, fields, error } = useChangeOrganization(id, () => setTyped({}));
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const written = host.trim() === '' ? null : host.trim();
    submit({
      ...(typed.name !== undefined && { name }),
      ...(typed.host !== undefined && { cloud_host: written }),
    });
  };
  return (
    <Card title={t('branding.identity')}>
      <form onSubmit={send}>
        <Stack gap="md" maw="32rem">
          <TextInput
            label={t('branding.name')}
            required
            maxLength={255}
            value={name}
            error={fields.name}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
          />
          <TextInput
            label={t('branding.host')}
            description={
              savedHost !== null && !isVetted ? t('branding.hostUnvetted') : t('branding.hostHint')
            }
            placeholder="solar.example.com"
            inputMode="url"
            autoCapitalize="off"
            spellCheck={false}
            value={host}
            error={fields.cloud_host}
            onChange={(event) => setTyped({ ...typed, host: event.currentTarget.value })}
          />
          <FormError error={error} />
          <SaveRow isPending={isPending} isSaved={isSaved} />
        </Stack>
      </form>
    </Card>
  );
}
