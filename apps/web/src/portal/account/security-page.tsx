import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { SecondFactorCards } from '../second-factor/second-factor-cards.tsx';
import { usePortalSession } from '../session/session.ts';
import { AccountPage } from './account-page.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function Page() {
  const { t } = useTranslation('account');
  const { user } = usePortalSession();
  return (
    <AccountPage part={t('security.title')}>
      <Card title={t('password.title')}>
        <Text>{t('password.text', { email: user?.email ?? '' })}</Text>
        <Button component={Link} href="/password" variant="default" style={{ alignSelf: 'flex-start' }}>
          {t('password.change')}
        </Button>
      </Card>
      <SecondFactorCards />
      <SessionsCard />
    </AccountPage>
  );
}
