import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { LiveBanner } from '../../shared/live/live-banner.tsx';
import { SettingsPanel } from '../../shared/settings/settings-panel.tsx';
import { useDeviceSession } from '../session/session.ts';

/** The settings of inverters and batteries. */
export function Page() {
  const { t } = useTranslation('device');
  const { may_write: mayWrite } = useDeviceSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('settings.title')} />
      <LiveBanner />
      <SettingsPanel mayWrite={mayWrite} {...(mayWrite && { logPath: '/log' })} />
    </Stack>
  );
}
