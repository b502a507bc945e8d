import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AlertsOfSite } from '../../shared/alerts/alerts-of-site.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useDeviceSession } from '../session/session.ts';

/** The alerts of the home, and the rules that raise them. */
export function Page() {
  const { t } = useTranslation('alerts');
  const { may_write: mayWrite, may_configure: mayConfigure } = useDeviceSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('title')} />
      <AlertsOfSite mayAcknowledge={mayWrite} mayConfigure={mayConfigure} />
    </Stack>
  );
}
