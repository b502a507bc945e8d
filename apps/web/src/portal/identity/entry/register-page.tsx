import type { RegisterAnswer, RegisterBody } from '@heliograph/contracts';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { currentLocale } from '../../../shared/i18n/i18n.ts';
import { switchLocale } from '../../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../../shared/preferences/language-switch.tsx';
import { BarePage } from '../../frame/bare-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { NameFields } from '../../ui/name-fields.tsx';
import { BotCheckFrame, useBotCheck } from './form/bot-check.tsx';
import { EntryError } from './form/entry-error.tsx';
import { emailMessage, passwordMessage, passwordProblem } from './form/field-messages.ts';
import { formText } from './form/form-text.ts';
import { NewPasswordField } from './form/new-password-field.tsx';
import { rejectFields } from './form/reject-fields.ts';
import { TermsField } from './form/terms-field.tsx';
import { TextLink } from './form/text-link.tsx';
import { type UnconfirmedAccount, WaitForEmail } from './sign-in/wait-for-email.tsx';

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

interface RegisterFormProps {
  readonly organizationId: number;
  readonly onRegistered: (account: UnconfirmedAccount) => void;
}

/** Two columns where there is room for them. */
const NAMES = { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(9rem, 1fr))', gap: '1rem' };

function RegisterForm({ organizationId, onRegistered }: RegisterFormProps) {
  const { t } = useTranslation('entry');
  const check = useBotCheck();
  const { submit, isPending, fields, error } = useSubmit(
    async (form: FormData): Promise<UnconfirmedAccount> => {
      const email = formText(form, 'email').trim();
      const password = formText(form, 'password');
      rejectFields({
        email: email === '' ? t('fields.emailMissing') : undefined,
        password: passwordProblem(password, t),
        accepted_terms: form.has('accepted_terms') ? undefined : t('terms.missing'),
      });
      const verificationToken = await check.token();
      const answer = await register({
        email,
        password,
        first_name: formText(form, 'first_name'),
        last_name: formText(form, 'last_name'),
        locale: currentLocale(),
        accepted_terms: true,
        organization_id: organizationId,
        verification_token: verificationToken,
      }).catch((failure: unknown) => {
        check.restart();
        throw failure;
      });
      return { email, password, pendingToken: answer.pending_token };
    },
    { onDone: onRegistered },
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Stack gap="md">
        <div style={NAMES}>
          <NameFields
            areOwn
            first={{ name: 'first_name', label: t('fields.firstName'), error: fields.first_name }}
            last={{ name: 'last_name', label: t('fields.lastName'), error: fields.last_name }}
          />
        </div>
        <TextInput
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="username"
          maxLength={320}
          error={emailMessage(fields.email, t)}
        />
        <NewPasswordField label={t('fields.password')} error={passwordMessage(fields.password, t)} />
        <LanguageSwitch label={t('fields.language')} onChange={(locale) => void switchLocale(locale)} />
        <TermsField error={fields.accepted_terms} />
        <BotCheckFrame check={check} error={fields.verification_token} />
        <EntryError error={error} />
        <Button type="submit" loading={isPending}>
          {t('register.submit')}
        </Button>
      </Stack>
    </form>
  );
}

/** Makes an account that waits for its email address to be confirmed. @throws ApiError, ConnectionError */
async function register(body: RegisterBody): Promise<RegisterAnswer> {
  return await cloud.register(body);
}
