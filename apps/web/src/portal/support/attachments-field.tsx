import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';
import { type RefusedFile, type UploadedFile, uploadFiles } from './upload-files.ts';

/** The service's limits: bytes of a file, and files of a message. */
const MAX_ATTACHMENT_SIZE = 10 * 1024 * 1024;
const MAX_ATTACHMENTS = 10;

interface AttachmentsFieldProps {
  readonly files: readonly UploadedFile[];
  readonly onChange: (files: readonly UploadedFile[]) => void;
}

/** The files of a message, which are sent as soon as they are chosen. */
export function AttachmentsField({ files, onChange }: AttachmentsFieldProps) {
  const { t } = useTranslation('tickets');
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const { submit, isPending, error } = useSubmit(async (chosen: readonly File[]) => {
    const done = await uploadFiles(chosen, MAX_ATTACHMENTS - files.length, cloud);
    onChange([...files, ...done.uploaded]);
    setRefused((before) => [...before, ...done.refused]);
    if (done.failure !== undefined) throw done.failure;
  });
  const choose = (chosen: File[]): void => {
    const refusals = chosen.flatMap(({ name, size }): RefusedFile[] => {
      if (size > MAX_ATTACHMENT_SIZE) return [{ name, reason: 'tooLarge' }];
      return size === 0 ? [{ name, reason: 'emptyFile' }] : [];
    });
    setRefused(refusals);
    const sendable = chosen.filter(({ size }) => size > 0 && size <= MAX_ATTACHMENT_SIZE);
    if (sendable.length > 0) submit(sendable);
  };
  return (
    <Stack gap="xs">
      {files.map(({ id, name }) => (
        <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
          <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
          <Button
            variant="default"
            aria-label={t('removeThat', { name })}
            onClick={() => onChange(files.filter((file) => file.id !== id))}
          >
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
            loading={isPending}
            disabled={files.length >= MAX_ATTACHMENTS}
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
