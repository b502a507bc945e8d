import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { BackToConfiguration } from '../configuration/back-link.tsx';
import { ProbePanel } from './probe-panel.tsx';

/** Finds inverters and batteries. */
export function Page() {
  const { t } = useTranslation('configuration');
  const [, navigate] = useLocation();
  return (
    <Stack gap="lg" maw="44rem">
      <BackToConfiguration />
      <PageTitle text={t('probe.title')} />
      <Card title={t('probe.card')}>
        <ProbePanel onUsed={() => navigate('/links')} />
      </Card>
    </Stack>
  );
}
