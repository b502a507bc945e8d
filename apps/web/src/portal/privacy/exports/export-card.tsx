import type { DataExport } from '@heliograph/contracts';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { regionalTag } from '../../../shared/format/region.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { NamedSite } from '../../ui/named-site.tsx';

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

interface ExportCardProps {
  /** The site that archives are made of; left out: the account, whose list has the archives of sites, too. */
  readonly siteId?: number;
}

/** Makes archives of what the service has, and lists those that can be downloaded. */
export function ExportCard({ siteId }: ExportCardProps) {
  const { t, i18n } = useTranslation('leaving');
  const query = useQuery(exportsQuery);
  const about = { csv_locale: regionalTag(i18n.language), ...(siteId !== undefined && { site_id: siteId }) };
  const { submit, isPending, error } = useSubmit(() => withFreshSignIn(() => cloud.requestExport(about)), {
    onDone: () => void queries.invalidateQueries(exportsQuery),
  });
  const isOfSubject = ({ site }: DataExport) => site?.id === siteId;
  const isMaking = query.data?.some((each) => isBeingMade(each) && isOfSubject(each)) === true;
  return (
    <Card title={t('export')}>
      <Stack gap="md" align="start">
        <Text>{t(siteId === undefined ? 'exportText' : 'siteExportText')}</Text>
        <FormError error={error} />
        {isMaking ? (
          <Text role="status">{t('making')}</Text>
        ) : (
          <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
            {t('make')}
          </Button>
        )}
      </Stack>
      <QueryResult query={query}>
        {(list) => <Archives list={siteId === undefined ? list : list.filter(isOfSubject)} />}
      </QueryResult>
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
          facts={[
            site !== null && <NamedSite key="site" site={site} />,
            t('ready', { date: format.date(expiresAt) }),
          ]}
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
