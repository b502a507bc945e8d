import { type Alert, acknowledgeAlert } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Empty } from '../components/states/empty.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import { deviceAboutKey } from '../live/device-key.ts';
import { useLive } from '../live/live-context.tsx';
import { AlertEntry } from './alert-entry.tsx';
import classes from './alerts.module.css';
import { alertsKey, allAlertsQuery, openAlertsQuery } from './queries.ts';

const RulesCard = lazy(() => import('./rules-card.tsx').then((module) => ({ default: module.RulesCard })));

interface AlertsOfSiteProps {
  readonly mayAcknowledge: boolean;
  readonly mayConfigure: boolean;
}

/** Open and earlier alerts of a site, and the rules that raise them. */
export function AlertsOfSite({ mayAcknowledge, mayConfigure }: AlertsOfSiteProps) {
  return (
    <>
      <OpenAlerts mayAcknowledge={mayAcknowledge} />
      <EarlierAlerts />
      <Suspense fallback={<Placeholder height="30rem" />}>
        <RulesCard mayConfigure={mayConfigure} />
      </Suspense>
    </>
  );
}

function OpenAlerts({ mayAcknowledge }: Pick<AlertsOfSiteProps, 'mayAcknowledge'>) {
  const { t } = useTranslation('alerts');
  const { device } = useLive();
  const { data, error, refetch } = useQuery(openAlertsQuery(device));
  return (
    <Card title={t('now')}>
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.length === 0 && <Empty title={t('nothing')}>{t('nothingHint')}</Empty>}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-live="polite">
          {data.map((alert) => (
            <AlertEntry key={alert.id} alert={alert}>
              {mayAcknowledge && alert.state === 'raised' && <Acknowledge alert={alert} />}
            </AlertEntry>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Acknowledge({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation('alerts');
  const { device } = useLive();
  const queries = useQueryClient();
  const acknowledge = useMutation({
    mutationFn: async () => device && acknowledgeAlert(device, alert.id),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: alertsKey(device) }),
        // The note about damaged data ends with its alert.
        queries.invalidateQueries({ queryKey: deviceAboutKey(device) }),
      ]),
  });
  return (
    <>
      <Button variant="default" loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
        {t('acknowledge')}
      </Button>
      {acknowledge.error !== null && <Failure error={acknowledge.error} />}
    </>
  );
}

function EarlierAlerts() {
  const { t } = useTranslation('alerts');
  const { device } = useLive();
  const list = useInfiniteQuery(allAlertsQuery(device));
  const cleared = (list.data?.pages.flat() ?? []).filter(({ state }) => state === 'cleared');
  return (
    <Card title={t('earlier')}>
      {list.data === undefined && list.error === null && <Loading />}
      {list.error !== null && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && cleared.length === 0 && <p>{t('noneEarlier')}</p>}
      {cleared.length > 0 && (
        <ul className={classes.list}>
          {cleared.map((alert) => (
            <AlertEntry key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Card>
  );
}
