import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { usePortalSession } from '../session/session.ts';
import { AccountPage } from './account-page.tsx';
import { AppearanceChoice } from './appearance-choice.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { SignOutButton } from './sign-out-button.tsx';

export function Page() {
  const { t } = useTranslation('account');
  const { user } = usePortalSession();
  if (user === null) return null;
  const name = `${user.first_name} ${user.last_name}`.trim();
  const facts = [
    { name: t('profile.name'), value: name === '' ? t('profile.unknown') : name },
    { name: t('profile.email'), value: user.email },
    { name: t('profile.phone'), value: user.phone_number ?? t('profile.unknown') },
    ...(user.organization === null
      ? []
      : [{ name: t('profile.organization'), value: user.organization.name }]),
  ];
  return (
    <AccountPage part={t('profile.title')}>
      <Card title={t('profile.you')} action={<SignOutButton />}>
        <Facts facts={facts} />
        <Text size="sm" c="dimmed">
          {t('profile.readOnly')}
        </Text>
      </Card>
      <Card title={t('preferences.title')}>
        <LanguageChoice />
        <AppearanceChoice />
      </Card>
    </AccountPage>
  );
}
