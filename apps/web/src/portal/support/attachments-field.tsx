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
  const [problem, setProblem] = useState<string>();
  const { submit, isPending, error } = useSubmit(upload, {
    onDone: ({ uploaded, refused }) => {
      onChange([...files, ...uploaded]);
      setProblem(refused && t(refused.reason, { name: refused.name }));
    },
  });
  const choose = (chosen: File[]): void => {
    const tooLarge = chosen.find(({ size }) => size > MAX_ATTACHMENT_SIZE);
    const empty = chosen.find(({ size }) => size === 0);
    setProblem(
      (tooLarge && t('tooLarge', { name: tooLarge.name })) ?? (empty && t('emptyFile', { name: empty.name })),
    );
    if (tooLarge === undefined && empty === undefined)
      submit(chosen.slice(0, MAX_ATTACHMENTS - files.length));
  };
  return (
    <Stack gap="xs">
      {files.map(({ id, name }) => (
        <Group key={id} gap="xs">
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
      {problem !== undefined && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      <FormError error={error} />
    </Stack>
  );
}

interface Refused {
  readonly name: string;
  /** Its type is not taken, or a server before the service limits the size of requests. */
  readonly reason: 'refused' | 'tooLargeThere';
}

/** @returns the files until the first that is refused, and why that one is */
async function upload(
  files: readonly File[],
): Promise<{ readonly uploaded: readonly UploadedFile[]; readonly refused?: Refused }> {
  const uploaded: UploadedFile[] = [];
  for (const file of files) {
    try {
      uploaded.push(await cloud.createUpload({ file, name: fileNameOf(file.name) }));
    } catch (error) {
      const { name } = file;
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 422) return { uploaded, refused: { name, reason: 'refused' } };
      if (status === 413) return { uploaded, refused: { name, reason: 'tooLargeThere' } };
      throw error;
    }
  }
  return { uploaded };
}
