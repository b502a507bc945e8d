import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { LiveBanner } from '../../shared/live/live-banner.tsx';
import { MetricsOfSite } from '../../shared/metrics-page/metrics-of-site.tsx';

export function Page() {
  const { t } = useTranslation('metrics');
  return (
    <Stack gap="lg">
      <PageTitle text={t('title')} />
      <LiveBanner />
      <MetricsOfSite historyPath="/history" />
    </Stack>
  );
}
