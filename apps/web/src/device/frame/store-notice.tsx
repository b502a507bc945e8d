import { Alert, Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useDeviceSession } from '../session/session.ts';

/** Leads to the page on which the owner mends the stored data, while they cannot be used. */
export function StoreNotice() {
  const { t } = useTranslation('configuration');
  const { store_problem: problem } = useDeviceSession();
  if (problem === null) return null;
  return (
    <Alert color="red" variant="light" mb="md">
      <Anchor component={Link} href="/store" underline="always">
        {t('store.title')}
      </Anchor>
    </Alert>
  );
}
