import type { Locale } from '@heliograph/contracts';
import { Button, type MantineColorScheme, NativeSelect, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { switchLocale } from '../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../shared/preferences/language-switch.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { Facts } from '../parts/facts.tsx';
import { cloud } from '../session/cloud.ts';
import { sessionQuery, signOut, usePortalSession } from '../session/session.ts';
import { AccountPage } from './account-page.tsx';

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

const SCHEMES = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

const LABELS = {
  auto: 'preferences.auto',
  light: 'preferences.light',
  dark: 'preferences.dark',
} as const satisfies Record<MantineColorScheme, string>;

/** Light, dark, or as the machine has it; kept in this browser. */
function AppearanceChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      label={t('preferences.scheme')}
      maw="24rem"
      value={colorScheme}
      data={SCHEMES.map((scheme) => ({ value: scheme, label: t(LABELS[scheme]) }))}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(SCHEMES.find((scheme) => scheme === value) ?? 'auto')
      }
    />
  );
}

/** The language of pages and mails. */
function LanguageChoice() {
  const { t } = useTranslation('account');
  const { submit, error } = useSubmit(async (locale: Locale) => {
    const user = await cloud.updateCurrentUser({ locale });
    await switchLocale(locale);
    queries.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user });
  });
  return (
    <div style={{ maxWidth: '24rem' }}>
      <LanguageSwitch label={t('preferences.language')} onChange={submit} />
      <Text size="sm" c="dimmed" mt={4}>
        {t('preferences.languageHint')}
      </Text>
      <FormError error={error} />
    </div>
  );
}

function SignOutButton() {
  const { t } = useTranslation('account');
  const { submit, isPending, error } = useSubmit(async () => {
    await signOut();
    // The whole page goes, and with it every connection that it has to a site.
    location.assign('/');
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('profile.signOut')}
      </Button>
      <FormError error={error} />
    </>
  );
}
