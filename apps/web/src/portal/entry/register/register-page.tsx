import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { BarePage } from '../../frame/bare-page.tsx';
import { usePortalSession } from '../../session/session.ts';
import { TextLink } from '../form/text-link.tsx';
import { type UnconfirmedAccount, WaitForEmail } from '../sign-in/wait-for-email.tsx';
import { RegisterForm } from './register-form.tsx';

/** Makes an account, as a customer of the organization whose pages these are. */
export function Page() {
  const { user } = usePortalSession();
  return user === null ? (
    <BarePage>
      <Content />
    </BarePage>
  ) : (
    <Redirect to="/sites" replace />
  );
}

function Content() {
  const { t } = useTranslation('entry');
  const { home } = usePortalSession();
  const [registered, setRegistered] = useState<UnconfirmedAccount>();
  if (registered !== undefined) return <WaitForEmail account={registered} />;
  if (home === null) {
    return (
      <>
        <PageTitle text={t('register.invitedTitle')} />
        <Text>{t('register.invited')}</Text>
        <Button component={Link} href="/sign_in">
          {t('signIn.submit')}
        </Button>
      </>
    );
  }
  return (
    <>
      <PageTitle text={t('register.title')} />
      <Text>{t('register.text', { organization: home.name })}</Text>
      <RegisterForm organizationId={home.id} onRegistered={setRegistered} />
      <Text ta="center">
        <Trans t={t} i18nKey="register.known" components={{ signIn: <TextLink href="/sign_in" /> }} />
      </Text>
    </>
  );
}
