import { Alert, Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

/** Leads to the page on which the owner mends the stored data. */
export function StoreNotice() {
  const { t } = useTranslation('device');
  return (
    <Alert color="red" variant="light" mb="md">
      <Anchor component={Link} href="/store" underline="always">
        {t('storeProblem')}
      </Anchor>
    </Alert>
  );
}
