import { secondFactorRequired } from '@heliograph/client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { mayUsePasskeys } from '../../second-factor/passkey.ts';
import { signIn } from '../../session/session.ts';
import { emailState, useCarriedEmail } from '../form/carried-email.ts';
import { EntryError } from '../form/entry-error.tsx';
import { formText } from '../form/form-text.ts';
import { rejectFields } from '../form/reject-fields.ts';
import { TextLink } from '../form/text-link.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { pendingTokenOf } from './pending-token.ts';
import type { UnconfirmedAccount } from './wait-for-email.tsx';

interface SignInFormProps {
  /** Who it probably is. */
  readonly email?: string | undefined;
  /** Puts the cursor into it, on a page that is for nothing else. */
  readonly focusOnMount?: boolean;
  readonly onSignedIn?: (() => void) | undefined;
  readonly onUnconfirmed: (whose: UnconfirmedAccount) => void;
  /** @param pendingToken of the sign-in that waits for a second factor */
  readonly onSecondFactor: (pendingToken: string) => void;
}

export function SignInForm(props: SignInFormProps) {
  const { email, focusOnMount = false, onSignedIn, onUnconfirmed, onSecondFactor } = props;
  const { t } = useTranslation('entry');
  const carried = useCarriedEmail();
  const [typed, setTyped] = useState(carried ?? email ?? '');
  const { submit, isPending, fields, error } = useSubmit(async (form: FormData) => {
    const credentials = { email: formText(form, 'email').trim(), password: formText(form, 'password') };
    rejectFields({
      email: credentials.email === '' ? t('fields.emailMissing') : undefined,
      password: credentials.password === '' ? t('fields.passwordMissing') : undefined,
    });
    try {
      await signIn(credentials);
    } catch (failure) {
      const required = secondFactorRequired(failure);
      if (required !== undefined) {
        onSecondFactor(required.pending_token);
        return;
      }
      const pendingToken = pendingTokenOf(failure);
      if (pendingToken === undefined) throw failure;
      onUnconfirmed({ ...credentials, pendingToken });
      return;
    }
    onSignedIn?.();
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Stack gap="md">
        <TextInput
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="username"
          maxLength={320}
          defaultValue={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoFocus={focusOnMount}
          error={fields.email}
        />
        <PasswordField
          name="password"
          label={t('fields.password')}
          autoComplete="current-password"
          maxLength={1000}
          error={fields.password}
        />
        <EntryError error={error} />
        <Button type="submit" loading={isPending}>
          {t('signIn.submit')}
        </Button>
        {mayUsePasskeys() && <PasskeySignIn onSignedIn={onSignedIn} />}
        <Text ta="center">
          <TextLink href="/password" state={emailState(typed)}>
            {t('signIn.forgot')}
          </TextLink>
        </Text>
      </Stack>
    </form>
  );
}
