import type { AccountDeletion, DataExport, DeletionObstacleKind } from '@heliograph/contracts';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { withFreshSignIn } from '../second-factor/fresh-sign-in.ts';
import { cloud } from '../session/cloud.ts';
import { AccountPage } from './account-page.tsx';
import { deletionQuery, PendingDeletion } from './pending-deletion.tsx';

/** How often the page looks whether an archive is ready, in milliseconds. */
const ARCHIVE_POLL_MS = 2_000;

const exportsQuery = queryOptions({
  queryKey: ['account', 'exports'],
  queryFn: () => cloud.listExports(),
  refetchInterval: ({ state: { data } }) => data?.some(isBeingMade) === true && ARCHIVE_POLL_MS,
});

function isBeingMade({ ready_at: readyAt }: DataExport): boolean {
  return readyAt === null;
}

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

function ExportCard() {
  const { t } = useTranslation('leaving');
  const query = useQuery(exportsQuery);
  const { submit, isPending, error } = useSubmit(() => withFreshSignIn(() => cloud.requestExport({})), {
    onDone: () => void queries.invalidateQueries(exportsQuery),
  });
  const isMaking = query.data?.some(isBeingMade) === true;
  return (
    <Card title={t('export')}>
      <Stack gap="md" align="start">
        <Text>{t('exportText')}</Text>
        <FormError error={error} />
        {isMaking ? (
          <Text role="status">{t('making')}</Text>
        ) : (
          <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
            {t('make')}
          </Button>
        )}
      </Stack>
      <QueryResult query={query}>{(list) => <Archives list={list} />}</QueryResult>
    </Card>
  );
}

function Archives({ list }: { readonly list: readonly DataExport[] }) {
  const { t } = useTranslation('leaving');
  const format = useFormat();
  const ready = list.filter((each) => !isBeingMade(each));
  if (ready.length === 0) return null;
  return (
    <Rows label={t('export')}>
      {ready.map(({ id, site, requested_at: requestedAt, expires_at: expiresAt }) => (
        <Row
          key={id}
          title={format.dateTime(requestedAt)}
          facts={[site?.name, t('ready', { date: format.date(expiresAt) })]}
          actions={
            // The browser streams it to a file; the page would hold it in memory.
            <Anchor href={`/portal/api/v1/user/exports/${id}/file`} download>
              {t('download')}
            </Anchor>
          }
        />
      ))}
    </Rows>
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

const OBSTACLE_LABELS = {
  site: 'obstacles.site',
  organization: 'obstacles.organization',
  order: 'obstacles.order',
  operator: 'obstacles.operator',
} as const satisfies Record<DeletionObstacleKind, string>;

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
              <Row key={`${kind} ${id}`} title={t(OBSTACLE_LABELS[kind], { name: name ?? `#${id}` })} />
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
