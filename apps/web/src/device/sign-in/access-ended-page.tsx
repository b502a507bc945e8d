import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BarePage } from '../frame/bare-page.tsx';

/** Through the proxy it is the account that lets in; loading the page anew leads to signing in to it. */
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
