import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import type { Attachments } from './use-attachments.ts';

export function AttachmentsField({ attachments }: { readonly attachments: Attachments }) {
  const { t } = useTranslation('tickets');
  const { files, refused, isUploading, isFull, error, choose, remove } = attachments;
  return (
    <Stack gap="xs">
      {files.map(({ id, name }) => (
        <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
          <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
          <Button variant="default" aria-label={t('removeThat', { name })} onClick={() => remove(id)}>
            {t('remove')}
          </Button>
        </Group>
      ))}
      <FileButton multiple onChange={choose}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            style={{ alignSelf: 'start' }}
            loading={isUploading}
            disabled={isFull}
          >
            {t('attach')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {t('attachHint')}
      </Text>
      {refused.length > 0 && (
        <Alert color="red" variant="light" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {refused.map(({ name, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and none changes its place
            <Text key={index} size="sm">
              {t(reason, { name })}
            </Text>
          ))}
        </Alert>
      )}
      <FormError error={error} />
    </Stack>
  );
}
