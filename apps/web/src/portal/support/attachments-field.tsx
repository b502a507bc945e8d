import { ApiError } from '@heliograph/client';
import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';
import { fileNameOf } from './file-name.ts';

/** The service's limits: bytes of a file, and files of a message. */
const MAX_ATTACHMENT_SIZE = 10 * 1024 * 1024;
const MAX_ATTACHMENTS = 10;

/** A file that the cloud has, and no message yet. */
export interface UploadedFile {
  readonly id: number;
  readonly name: string;
}

interface AttachmentsFieldProps {
  readonly files: readonly UploadedFile[];
  readonly onChange: (files: readonly UploadedFile[]) => void;
}

/** The files of a message, which are sent as soon as they are chosen. */
export function AttachmentsField({ files, onChange }: AttachmentsFieldProps) {
  const { t } = useTranslation('tickets');
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { submit, isPending, error } = useSubmit(upload, {
    onDone: (done) => {
      onChange([...files, ...done.uploaded]);
      setRefused((before) => [...before, ...done.refused]);
    },
  });
  const choose = (chosen: File[]): void => {
    const refusals = chosen.flatMap(({ name, size }): Refused[] => {
      if (size > MAX_ATTACHMENT_SIZE) return [{ name, reason: 'tooLarge' }];
      return size === 0 ? [{ name, reason: 'emptyFile' }] : [];
    });
    setRefused(refusals);
    const sendable = chosen.filter(({ size }) => size > 0 && size <= MAX_ATTACHMENT_SIZE);
    if (sendable.length > 0) submit(sendable.slice(0, MAX_ATTACHMENTS - files.length));
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

interface Refused {
  readonly name: string;
  /** `tooLargeThere`: a server before the service limits the size of requests. */
  readonly reason: 'tooLarge' | 'emptyFile' | 'refused' | 'tooLargeThere';
}

/** @returns the files that the cloud took, and those that it did not, with their reasons */
async function upload(
  files: readonly File[],
): Promise<{ readonly uploaded: readonly UploadedFile[]; readonly refused: readonly Refused[] }> {
  const uploaded: UploadedFile[] = [];
  const refused: Refused[] = [];
  for (const file of files) {
    try {
      uploaded.push(await cloud.createUpload({ file, name: fileNameOf(file.name) }));
    } catch (error) {
      const { name } = file;
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 422) refused.push({ name, reason: 'refused' });
      else if (status === 413) refused.push({ name, reason: 'tooLargeThere' });
      else throw error;
    }
  }
  return { uploaded, refused };
}
