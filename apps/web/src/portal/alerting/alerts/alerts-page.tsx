import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { NotificationQuestion } from '../notifications/notification-question.tsx';
import { CloudAlerts } from './cloud-alerts.tsx';

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
