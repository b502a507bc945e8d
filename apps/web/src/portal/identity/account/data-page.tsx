import type { AccountDeletion } from '@heliograph/contracts';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { AccountPage } from '../../frame/account-page.tsx';
import { ExportCard } from '../../privacy/exports/export-card.tsx';
import { deletionQuery, PendingDeletion } from '../../privacy/pending-deletion.tsx';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';

/** Taking along what the service has, and leaving it. */
export function Page() {
  const { t } = useTranslation('leaving');
  return (
    <AccountPage part={t('title')}>
      <ExportCard />
      <DeletionCard />
    </AccountPage>
  );
}

function DeletionCard() {
  const { t } = useTranslation('leaving');
  const query = useQuery(deletionQuery);
  return (
    <Card title={t('delete')}>
      <QueryResult query={query}>{(deletion) => <Deletion deletion={deletion} />}</QueryResult>
    </Card>
  );
}

function Deletion({ deletion }: { readonly deletion: AccountDeletion }) {
  const { t } = useTranslation('leaving');
  const { obstacles } = deletion;
  if (deletion.due_at !== null) return <PendingDeletion />;
  return (
    <Stack gap="md" align="start">
      <Text>{t('deleteText')}</Text>
      {obstacles.length > 0 && (
        <>
          <Text>{t('first')}</Text>
          <Rows label={t('first')}>
            {obstacles.map(({ kind, id, name }) => (
              <Row key={`${kind} ${id}`} title={t(`obstacles.${kind}`, { name: name ?? `#${id}` })} />
            ))}
          </Rows>
        </>
      )}
      {obstacles.length === 0 && (
        <ConfirmedButton
          label={t('deleteButton')}
          title={t('confirm')}
          act={() => withFreshSignIn(() => cloud.requestAccountDeletion())}
          onDone={() => void queries.invalidateQueries(deletionQuery)}
        >
          {t('deleteText')}
        </ConfirmedButton>
      )}
    </Stack>
  );
}
