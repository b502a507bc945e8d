import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BarePage } from '../frame/bare-page.tsx';

/** Through the proxy the account gives access; a reload of the page leads to its sign-in. */
export function Page() {
  const { t } = useTranslation('device');
  return (
    <BarePage title={t('session.ended')}>
      <Stack align="flex-start">
        <Text>{t('session.endedText')}</Text>
        <Button onClick={() => location.reload()}>{t('session.signInAgain')}</Button>
      </Stack>
    </BarePage>
  );
}
