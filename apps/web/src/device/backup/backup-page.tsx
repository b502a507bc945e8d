import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { BackToConfiguration } from '../configuration/back-link.tsx';
import { useDeviceSession } from '../session/session.ts';
import { BackupForm } from './backup-form.tsx';
import { CloudBackupCard } from './cloud-backup-card.tsx';
import { RestoreForm } from './restore-form.tsx';

/** Makes an encrypted backup of the device, and restores one, on the network of the home. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { via } = useDeviceSession();
  return (
    <Stack maw="34rem">
      <BackToConfiguration />
      <PageTitle text={t('backup.title')} />
      <Text c="dimmed">{t('backup.why')}</Text>
      {via === 'lan' ? (
        <>
          <Card title={t('backup.make')}>
            <BackupForm />
          </Card>
          <CloudBackupCard />
          <Card title={t('backup.restore')}>
            <RestoreForm hasPassword />
          </Card>
        </>
      ) : (
        <Text>{t('backup.onlyAtHome')}</Text>
      )}
    </Stack>
  );
}
