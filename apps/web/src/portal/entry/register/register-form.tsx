import { Button, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { currentLocale } from '../../../shared/i18n/i18n.ts';
import { switchLocale } from '../../../shared/i18n/switch-locale.ts';
import { LanguageSwitch } from '../../../shared/preferences/language-switch.tsx';
import { BotCheckFrame } from '../check/bot-check-frame.tsx';
import { useBotCheck } from '../check/use-bot-check.ts';
import { emailMessage } from '../form/email-message.ts';
import { EntryError } from '../form/entry-error.tsx';
import { formText } from '../form/form-text.ts';
import { NewPasswordField } from '../form/new-password-field.tsx';
import { passwordMessage, passwordProblem } from '../form/password-problem.ts';
import { rejectFields } from '../form/reject-fields.ts';
import { TermsField } from '../form/terms-field.tsx';
import type { UnconfirmedAccount } from '../sign-in/wait-for-email.tsx';
import { register } from './register.ts';
import classes from './register-form.module.css';

interface RegisterFormProps {
  readonly organizationId: number;
  readonly onRegistered: (whose: UnconfirmedAccount) => void;
}

export function RegisterForm({ organizationId, onRegistered }: RegisterFormProps) {
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
        <div className={classes.names}>
          <TextInput
            name="first_name"
            label={t('fields.firstName')}
            autoComplete="given-name"
            maxLength={255}
            error={fields.first_name}
          />
          <TextInput
            name="last_name"
            label={t('fields.lastName')}
            autoComplete="family-name"
            maxLength={255}
            error={fields.last_name}
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
