import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { cloud } from '../session/cloud.ts';

interface ProvisionFormProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Makes a device known before it calls. */
export function ProvisionForm({ onDone, onClose }: ProvisionFormProps) {
  const { t } = useTranslation('operator');
  const form = useApiForm({
    initialValues: { uid: '', organizationId: '', activate: true },
    send: ({ uid, organizationId, activate }) =>
      cloud.provisionDevice({
        uid,
        activate,
        organization_id: Number(organizationId) || undefined,
      }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="32rem">
        <TextInput
          label={t('provision.uid')}
          description={t('provision.uidHint')}
          required
          autoFocus
          maxLength={64}
          spellCheck={false}
          autoCapitalize="off"
          {...form.getInputProps('uid')}
        />
        <TextInput
          label={t('provision.organization')}
          description={t('provision.organizationHint')}
          inputMode="numeric"
          pattern="[0-9]*"
          {...form.getInputProps('organizationId')}
        />
        <Checkbox label={t('provision.activate')} {...form.getInputProps('activate', { type: 'checkbox' })} />
        <FormError error={form.error} />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('provision.send')}
          </Button>
          <Button variant="default" disabled={form.isPending} onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
