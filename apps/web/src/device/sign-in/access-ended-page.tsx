import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BarePage } from '../frame/bare-page.tsx';
import { useDeviceSession } from '../session/session.ts';

/**
 * Through the proxy the account gives access; a reload of the page leads to its sign-in. A reload leads nowhere while the
 * cloud has not learned yet that a support session ended on the device.
 */
export function Page() {
  const { t } = useTranslation('device');
  const { support_url: supportUrl } = useDeviceSession();
  if (supportUrl !== null) {
    return (
      <BarePage title={t('session.ended')}>
        <Stack align="flex-start">
          <Text role="status">{t('session.supportEndedText')}</Text>
          <Button component="a" href={supportUrl}>
            {t('session.toSupport')}
          </Button>
        </Stack>
      </BarePage>
    );
  }
  return (
    <BarePage title={t('session.ended')}>
      <Stack align="flex-start">
        <Text>{t('session.endedText')}</Text>
        <Button onClick={() => location.reload()}>{t('session.signInAgain')}</Button>
      </Stack>
    </BarePage>
  );
}
