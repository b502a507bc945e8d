import type { Locale, User } from '@heliograph/contracts';
import {
  Button,
  type MantineColorScheme,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { switchLocale } from '../../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../../shared/preferences/language-switch.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { AppCard } from '../../alerting/app/app-card.tsx';
import { AccountPage } from '../../frame/account-page.tsx';
import { PendingDeletion } from '../../privacy/pending-deletion.tsx';
import { cloud } from '../../session/cloud.ts';
import { sessionQuery, signOut, usePortalSession } from '../../session/session.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { NameFields } from '../../ui/name-fields.tsx';
import { EmailCard } from './email-card.tsx';

const joinedQuery = queryOptions({
  queryKey: ['account', 'joined-organizations'],
  queryFn: () => cloud.listJoinedOrganizations(),
});

/** Organizations that the account joined by its consent, which it withdraws here; nothing where there are none. */
function JoinedOrganizations() {
  const { t } = useTranslation('joining');
  const { data: joined = [] } = useQuery(joinedQuery);
  if (joined.length === 0) return null;
  return (
    <Card title={t('joinedOrganizations')}>
      <Rows label={t('joinedOrganizations')}>
        {joined.map(({ id, name }) => (
          <Row
            key={id}
            title={name}
            actions={
              <ConfirmedButton
                label={t('organizationLeave')}
                description={`${t('organizationLeave')}: ${name}`}
                title={t('organizationLeaveTitle', { organization: name })}
                act={() => cloud.leaveOrganization({ id })}
                onDone={() => {
                  void queries.invalidateQueries(joinedQuery);
                  void queries.invalidateQueries(sessionQuery);
                }}
              >
                {t('organizationLeaveText', { organization: name })}
              </ConfirmedButton>
            }
          />
        ))}
      </Rows>
    </Card>
  );
}

export function Page() {
  const { t } = useTranslation('account');
  const { user } = usePortalSession();
  if (user === null) return null;
  return (
    <AccountPage part={t('profile.title')}>
      <PendingDeletion />
      <Card title={t('profile.you')} action={<SignOutButton />}>
        <ProfileForm user={user} />
        {user.organization !== null && (
          <Facts facts={[{ name: t('profile.organization'), value: user.organization.name }]} />
        )}
      </Card>
      <EmailCard />
      <JoinedOrganizations />
      <Card title={t('preferences.title')}>
        <LanguageChoice />
        <AppearanceChoice />
      </Card>
      <AppCard userId={user.id} />
    </AccountPage>
  );
}

/** The names and the phone number, which people change themselves. */
function ProfileForm({ user }: { readonly user: User }) {
  const { t } = useTranslation('account');
  const form = useApiForm({
    initialValues: {
      firstName: user.first_name,
      lastName: user.last_name,
      phoneNumber: user.phone_number ?? '',
    },
    send: ({ firstName, lastName, phoneNumber }) =>
      cloud.updateProfile({ first_name: firstName, last_name: lastName, phone_number: phoneNumber || null }),
    onDone: (changed) => {
      showUser(changed);
      form.setInitialValues({
        firstName: changed.first_name,
        lastName: changed.last_name,
        phoneNumber: changed.phone_number ?? '',
      });
      form.reset();
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="24rem">
        <NameFields
          areOwn
          first={{ label: t('profile.firstName'), ...form.getInputProps('firstName') }}
          last={{ label: t('profile.lastName'), ...form.getInputProps('lastName') }}
        />
        <TextInput
          label={t('profile.phone')}
          type="tel"
          autoComplete="tel"
          maxLength={50}
          {...form.getInputProps('phoneNumber')}
        />
        <FormError error={form.error} />
        <Button
          type="submit"
          loading={form.isPending}
          disabled={!form.isDirty()}
          style={{ alignSelf: 'start' }}
        >
          {t('profile.save')}
        </Button>
      </Stack>
    </form>
  );
}

function showUser(user: User): void {
  queries.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, user });
}

const SCHEMES = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

/** Light, dark, or as the machine has it; kept in this browser. */
function AppearanceChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      label={t('preferences.scheme')}
      maw="24rem"
      value={colorScheme}
      data={SCHEMES.map((scheme) => ({ value: scheme, label: t(`preferences.${scheme}`) }))}
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
    showUser(user);
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
