import { ApiError } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from '../session/cloud.ts';

export const deletionQuery = queryOptions({
  queryKey: ['account', 'deletion'],
  queryFn: () => cloud.getAccountDeletion(),
});

/** When the account is deleted, and how to keep it; nothing where that was not asked for. */
export function PendingDeletion() {
  const { t } = useTranslation('leaving');
  const format = useFormat();
  const { data } = useQuery(deletionQuery);
  const { submit, isPending, error } = useSubmit(keepAccount, {
    onDone: () => void queries.invalidateQueries(deletionQuery),
  });
  const dueAt = data?.due_at ?? null;
  if (dueAt === null) return null;
  return (
    <Stack gap="md" align="start" role="status">
      <Text>{t('pending', { date: format.dateTime(dueAt) })}</Text>
      <Button loading={isPending} onClick={() => submit(undefined)}>
        {t('keep')}
      </Button>
      <FormError error={error} />
    </Stack>
  );
}

/** A request that was taken back meanwhile is as good. */
async function keepAccount(): Promise<void> {
  try {
    await cloud.cancelAccountDeletion();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
