import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertsOfSite } from '../../shared/alerts/alerts-of-site.tsx';
import { Placeholder } from '../../shared/components/states/placeholder.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useDeviceSession } from '../session/session.ts';

const ReceiversCard = lazy(() =>
  import('./receivers-card.tsx').then((module) => ({ default: module.ReceiversCard })),
);

/** The alerts of the home, the rules that raise them, and the servers that the device sends them to. */
export function Page() {
  const { t } = useTranslation('alerts');
  const { may_write: mayWrite, may_configure: mayConfigure } = useDeviceSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('title')} />
      <AlertsOfSite mayAcknowledge={mayWrite} mayConfigure={mayConfigure} />
      {mayConfigure && (
        <Suspense fallback={<Placeholder height="10rem" />}>
          <ReceiversCard />
        </Suspense>
      )}
    </Stack>
  );
}
