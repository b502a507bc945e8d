import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { BackToConfiguration } from '../configuration/back-link.tsx';
import { ClaimPanel } from './claim-panel.tsx';

/** Brings the device into an account. */
export function Page() {
  const { t } = useTranslation('configuration');
  return (
    <Stack gap="lg" maw="44rem">
      <BackToConfiguration />
      <PageTitle text={t('claim.title')} />
      <Card title={t('claim.card')}>
        <ClaimPanel />
      </Card>
    </Stack>
  );
}
