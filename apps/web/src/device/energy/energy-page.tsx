import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { EnergyOfSite } from '../../shared/energy-page/energy-page.tsx';
import { useDeviceSession } from '../session/session.ts';

/** The energy of the home by day, week, month and year. */
export function Page() {
  const { t } = useTranslation('energy');
  const { may_configure: mayConfigure } = useDeviceSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('title')} />
      <EnergyOfSite mayConfigure={mayConfigure} />
    </Stack>
  );
}
