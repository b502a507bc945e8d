import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';

interface ProvisionFormProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Makes a device known before it calls. */
export function ProvisionForm({ onDone, onClose }: ProvisionFormProps) {
  const { t } = useTranslation('operator');
  const [uid, setUid] = useState('');
  const [organization, setOrganization] = useState('');
  const [activate, setActivate] = useState(true);
  const { submit, isPending, fields, error } = useSubmit(
    () => {
      const organizationId = organization === '' ? undefined : Number(organization);
      return cloud.devices.provision({ uid, activate, ...(organizationId && { organizationId }) });
    },
    {
      onDone: () => {
        onDone();
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
      <Stack gap="md" maw="32rem">
        <TextInput
          label={t('provision.uid')}
          description={t('provision.uidHint')}
          required
          autoFocus
          maxLength={64}
          spellCheck={false}
          autoCapitalize="off"
          value={uid}
          error={fields.uid}
          onChange={(event) => setUid(event.currentTarget.value)}
        />
        <TextInput
          label={t('provision.organization')}
          description={t('provision.organizationHint')}
          inputMode="numeric"
          pattern="[0-9]*"
          value={organization}
          error={fields.organization_id}
          onChange={(event) => setOrganization(event.currentTarget.value)}
        />
        <Checkbox
          label={t('provision.activate')}
          checked={activate}
          onChange={(event) => setActivate(event.currentTarget.checked)}
        />
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('provision.send')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
