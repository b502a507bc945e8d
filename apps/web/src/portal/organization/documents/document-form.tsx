import type { OrganizationDocument } from '@heliograph/client';
import { Group, Stack, Text, Textarea } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import { SaveRow } from '../branding/save-row.tsx';
import { documentQuery } from '../queries.ts';

interface DocumentFormProps {
  readonly organizationId: number;
  readonly document: OrganizationDocument;
  readonly title: string;
}

const LIMIT = 200_000;

export function DocumentForm({ organizationId, document: { name, text, custom }, title }: DocumentFormProps) {
  const { t } = useTranslation('organization');
  const [written, setWritten] = useState(text);
  const [isSaved, setSaved] = useState(false);
  const documents = cloud.organizations.documents(organizationId);
  const { queryKey } = documentQuery(organizationId, name);
  const { submit, isPending, fields, error } = useSubmit((next: string) => documents.set(name, next), {
    onDone: (document) => {
      queries.setQueryData(queryKey, document);
      setSaved(true);
    },
  });
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    setSaved(false);
    submit(written);
  };
  const goBack = async (): Promise<void> => {
    await documents.remove(name);
    const standard = await documents.get(name);
    queries.setQueryData(queryKey, standard);
    setWritten(standard.text);
    setSaved(false);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <Text c="dimmed">{custom ? t('documents.own') : t('documents.standard')}</Text>
        <Textarea
          aria-label={title}
          description={t('documents.form')}
          rows={12}
          maxLength={LIMIT}
          size="md"
          value={written}
          error={fields.text}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <FormError error={error} />
        <Group gap="sm">
          <SaveRow isPending={isPending} isSaved={isSaved} />
          {custom && (
            <ConfirmedButton label={t('documents.reset')} title={t('documents.resetTitle')} act={goBack}>
              {t('documents.resetText')}
            </ConfirmedButton>
          )}
        </Group>
      </Stack>
    </form>
  );
}
