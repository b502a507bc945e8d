import type { SiteAlert } from '@heliograph/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '../../shared/alerts/alerts.module.css';
import { Card } from '../../shared/components/card/card.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { cloud } from '../session/cloud.ts';
import { CloudAlert } from './cloud-alert.tsx';
import { ALERTS_KEY, openAlertsQuery } from './open-alerts.ts';

const PAGE_SIZE = 20;

interface CloudAlertsProps {
  /** The one site whose alerts are shown; all that the reader sees when left out. */
  readonly siteId?: number;
}

/** Alerts as the cloud has them: of all sites, or of one, also while it is offline. */
export function CloudAlerts({ siteId }: CloudAlertsProps) {
  const { t } = useTranslation('alerts');
  const open = useQuery(openAlertsQuery(siteId));
  const all = useInfiniteQuery({
    queryKey: [...ALERTS_KEY, siteId ?? 'all', 'every'],
    queryFn: ({ pageParam: offset }) => listAlerts(siteId, offset),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
  });
  const cleared = (all.data?.pages.flat() ?? []).filter(({ state }) => state === 'cleared');
  const entryOf = (alert: SiteAlert) => (
    <CloudAlert key={alert.id} alert={alert} showsSite={siteId === undefined} />
  );
  return (
    <>
      <Card title={t('now')}>
        {open.data === undefined && open.error !== null && (
          <Failure error={open.error} onRetry={() => void open.refetch()} />
        )}
        {open.data === undefined && open.error === null && <Loading />}
        {open.data?.length === 0 && <Empty title={t('nothing')}>{t('nothingHint')}</Empty>}
        {open.data !== undefined && open.data.length > 0 && (
          <ul className={classes.list} aria-live="polite">
            {open.data.map(entryOf)}
          </ul>
        )}
      </Card>
      <Card title={t('earlier')}>
        {all.data === undefined && all.error === null && <Loading />}
        {all.error !== null && <Failure error={all.error} onRetry={() => void all.refetch()} />}
        {all.data !== undefined && cleared.length === 0 && <p>{t('noneEarlier')}</p>}
        {cleared.length > 0 && <ul className={classes.list}>{cleared.map(entryOf)}</ul>}
        {all.hasNextPage && (
          <Button variant="default" loading={all.isFetchingNextPage} onClick={() => void all.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Card>
    </>
  );
}

function listAlerts(siteId: number | undefined, offset: number) {
  const query = { offset, limit: PAGE_SIZE };
  return siteId === undefined ? cloud.listAlerts(query) : cloud.listSiteAlerts({ id: siteId, ...query });
}
