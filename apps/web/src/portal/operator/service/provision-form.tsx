import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { cloud } from '../../session/cloud.ts';
import { NamedField } from '../../ui/named-field.tsx';
import { LOOKUPS } from './lookups.ts';

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
        <NamedField
          lookup={LOOKUPS.organization}
          label={t('provision.organization')}
          description={t('provision.organizationHint')}
          value={form.values.organizationId}
          onChange={(id) => form.setFieldValue('organizationId', id)}
          error={form.errors.organizationId}
        />
        <Checkbox label={t('provision.activate')} {...form.getInputProps('activate', { type: 'checkbox' })} />
        <FormFooter form={form} submitLabel={t('provision.send')} onCancel={onClose} />
      </Stack>
    </form>
  );
}
