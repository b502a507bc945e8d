import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { WriteLog } from '../../shared/log/write-log.tsx';

/** Who changed which setting of the hardware, and when. */
export function Page() {
  const { t } = useTranslation('device');
  return (
    <Stack gap="lg">
      <PageTitle text={t('log.title')} />
      <Text c="dimmed">{t('log.why')}</Text>
      <WriteLog />
    </Stack>
  );
}
