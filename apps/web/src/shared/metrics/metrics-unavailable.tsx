import { useTranslation } from 'react-i18next';
import { Empty } from '../components/states/empty.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useLiveStatus } from '../live/live-context.tsx';

/** Stands in for metrics while there are none: every device has some once it is reached. */
export function MetricsUnavailable() {
  const { t } = useTranslation('site');
  const { state } = useLiveStatus();
  switch (state) {
    case 'connecting':
    case 'live':
      return <Loading />;
    case 'reconnecting':
      return <Empty title={t('metrics.away')}>{t('metrics.awayHint')}</Empty>;
    case 'refused':
      return <Empty title={t('metrics.refused')} />;
  }
}
