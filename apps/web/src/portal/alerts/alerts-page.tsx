import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { CloudAlerts } from '../parts/cloud-alerts.tsx';
import { NotificationQuestion } from '../parts/notification-question.tsx';

/** The alerts of all sites of the reader, the worst first. */
export function Page() {
  const { t } = useTranslation('alerts');
  return (
    <Stack gap="lg">
      <PageTitle text={t('title')} />
      <CloudAlerts />
      {/* Above, it would push the alerts away from a finger that comes down on them. */}
      <NotificationQuestion />
    </Stack>
  );
}
