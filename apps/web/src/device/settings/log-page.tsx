import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { AuditLog } from '../../shared/log/audit-log.tsx';
import { WriteLog } from '../../shared/log/write-log.tsx';
import { useDeviceSession } from '../session/session.ts';

/** The log of setting writes, and the audit log of the device. */
export function Page() {
  const { t } = useTranslation('device');
  const { may_configure: mayConfigure } = useDeviceSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('log.title')} />
      <Text c="dimmed">{t('log.why')}</Text>
      <Anchor component={Link} href="/configuration/diagnostics" style={{ alignSelf: 'flex-start' }}>
        {t('diagnostics.title', { ns: 'configuration' })}
      </Anchor>
      <WriteLog />
      {mayConfigure && <AuditLog />}
    </Stack>
  );
}
