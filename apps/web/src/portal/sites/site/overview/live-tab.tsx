import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { Failure } from '../../../../shared/components/states/failure.tsx';
import { LiveNotice } from '../../../../shared/live/live-banner.tsx';
import { useDefinitions } from '../../../../shared/live/live-context.tsx';
import { lazyPart } from '../../../../shared/routing/lazy-part.ts';
import { deviceQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import { useOnline } from '../site-state.tsx';
import classes from './live-tab.module.css';

const OfflineHelp = lazyPart(async () => (await import('../reach/offline-help.tsx')).OfflineHelp);

interface LiveTabProps {
  readonly children: ReactNode;
  /** In place of the content while the device is offline and there are no values of before. */
  readonly whenOffline?: ReactNode;
}

/**
 * A part of a site that its device fills. While the device is away the values of before stay, marked as old; where there
 * are none, what can be done takes their place.
 */
export function LiveTab({ children, whenOffline }: LiveTabProps) {
  const { t } = useTranslation('sites');
  const { site, device } = useSite();
  const isOnline = useOnline();
  const hasValues = useDefinitions().length > 0;
  const hasContent = isOnline || hasValues;
  const { error, refetch } = useQuery({ ...deviceQuery(site.id), enabled: device === undefined });
  if (device === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.tab}>
      {hasContent && <LiveNotice />}
      {!isOnline && (
        <Card title={t('away.title')}>
          <Suspense fallback={null}>
            <OfflineHelp siteId={site.id} localAddress={site.local_ip} />
          </Suspense>
        </Card>
      )}
      {hasContent ? children : whenOffline}
    </div>
  );
}
