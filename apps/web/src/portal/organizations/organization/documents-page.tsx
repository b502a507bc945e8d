import type { OrganizationDocument } from '@heliograph/client';
import { Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { OrganizationPage } from './organization-page.tsx';
import { documentQuery } from './queries.ts';
import { SaveRow } from './save-row.tsx';

/** The legal texts of an organization. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('documents.title')}>
      {({ id }, { isManager }) => (
        <>
          <DocumentCard organizationId={id} name="terms" title={t('documents.terms')} isManager={isManager} />
          <DocumentCard
            organizationId={id}
            name="privacy"
            title={t('documents.privacy')}
            isManager={isManager}
          />
        </>
      )}
    </OrganizationPage>
  );
}

interface DocumentCardProps {
  readonly organizationId: number;
  readonly name: 'terms' | 'privacy';
  readonly title: string;
  readonly isManager: boolean;
}

function DocumentCard({ organizationId, name, title, isManager }: DocumentCardProps) {
  const { t } = useTranslation('organization');
  const document = useQuery(documentQuery(organizationId, name));
  const asPublished = `/api/v1/legal/portal/${name}?organization_id=${organizationId}`;
  return (
    <Card
      title={title}
      action={
        <a href={asPublished} target="_blank" rel="noreferrer">
          {t('documents.published')}
        </a>
      }
    >
      <QueryResult query={document}>
        {(found) =>
          isManager ? (
            <DocumentForm organizationId={organizationId} document={found} title={title} />
          ) : (
            <DocumentText document={found} />
          )
        }
      </QueryResult>
    </Card>
  );
}

interface DocumentFormProps {
  readonly organizationId: number;
  readonly document: OrganizationDocument;
  readonly title: string;
}

const LIMIT = 200_000;

function DocumentForm({ organizationId, document: { name, text, custom }, title }: DocumentFormProps) {
  const { t } = useTranslation('organization');
  const [isSaved, setSaved] = useState(false);
  const target = { id: organizationId, name };
  const { queryKey } = documentQuery(organizationId, name);
  const form = useApiForm({
    initialValues: { text },
    send: (values) => {
      setSaved(false);
      return cloud.setOrganizationDocument({ ...target, text: values.text });
    },
    onDone: (document) => {
      queries.setQueryData(queryKey, document);
      setSaved(true);
    },
  });
  const goBack = async (): Promise<void> => {
    await cloud.removeOrganizationDocument(target);
    const standard = await cloud.getOrganizationDocument(target);
    queries.setQueryData(queryKey, standard);
    form.setFieldValue('text', standard.text);
    setSaved(false);
  };
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <Text c="dimmed">{custom ? t('documents.own') : t('documents.standard')}</Text>
        <Textarea
          aria-label={title}
          description={t('documents.form')}
          rows={12}
          maxLength={LIMIT}
          size="md"
          {...form.getInputProps('text')}
        />
        <FormError error={form.error} />
        <Group gap="sm">
          <SaveRow isPending={form.isPending} isSaved={isSaved} />
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

/** For those who read it and do not change it. */
function DocumentText({ document: { custom, text } }: { readonly document: OrganizationDocument }) {
  const { t } = useTranslation('organization');
  return (
    <>
      <Text c="dimmed">{custom ? t('documents.own') : t('documents.standard')}</Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
    </>
  );
}
