import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { RestoreForm } from '../backup/restore-form.tsx';
import { BarePage } from '../frame/bare-page.tsx';
import { useDeviceSession } from '../session/session.ts';
import { StartStoreForm } from './start-store-form.tsx';

const REASONS = {
  damaged: 'store.damaged',
  newer: 'store.newer',
  permission: 'store.permission',
  full: 'store.full',
  unreadable: 'store.unreadable',
} as const;

/** The stored data of the device cannot be used: the reason in a sentence, and the ways out. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { store_problem: problem, has_password: hasPassword, signed_in: isSignedIn } = useDeviceSession();
  if (problem === null) return null;
  return (
    <BarePage title={t('store.title')}>
      <Stack gap="lg">
        <Text>{t(REASONS[problem.fault])}</Text>
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {problem.message}
        </Text>
        <Text>{t(problem.has_identity ? 'store.meanwhile' : 'store.unknown')}</Text>
        {hasPassword && (
          <Anchor component={Link} href={isSignedIn ? '/' : '/sign_in'} underline="always">
            {t('store.readings')}
          </Anchor>
        )}
        <section aria-label={t('backup.restore')}>
          <Text component="h2" fw={600} mb="xs">
            {t('backup.restore')}
          </Text>
          <RestoreForm hasPassword={hasPassword} />
        </section>
        <section aria-label={t('store.fresh')}>
          <Text component="h2" fw={600} mb="xs">
            {t('store.fresh')}
          </Text>
          <StartStoreForm hasIdentity={problem.has_identity} hasPassword={hasPassword} />
        </section>
      </Stack>
    </BarePage>
  );
}
