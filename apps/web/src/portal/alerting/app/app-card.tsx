import { Button, Group, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { install, installation, onInstallationChange } from './installation.ts';
import { PushSwitch } from './push-switch.tsx';

/** How these pages become an app on this device, and whether messages come to it. */
export function AppCard({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('app');
  return (
    <Card title={t('title')}>
      <Installation />
      <PushSwitch userId={userId} />
    </Card>
  );
}

function Installation() {
  const { t } = useTranslation('app');
  const how = useSyncExternalStore(onInstallationChange, installation);
  if (how === 'installed') return <Text>{t('install.installed')}</Text>;
  return (
    <>
      <Text>{t('install.hint')}</Text>
      {how === 'offered' ? (
        <Group>
          <Button variant="default" onClick={() => void install()}>
            {t('install.button')}
          </Button>
        </Group>
      ) : (
        <Text c="dimmed">{t(how === 'ios' ? 'install.ios' : 'install.menu')}</Text>
      )}
    </>
  );
}
