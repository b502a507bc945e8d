import { isPasskeyUnknown, secondFactorRequired } from '@heliograph/client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { lazyPart } from '../../../../shared/routing/lazy-part.ts';
import { passkeyOptions, signIn, signInWithPasskey } from '../../../session/session.ts';
import { answerWithPasskey, mayUsePasskeys, NoPasskey } from '../../second-factor/passkey.ts';
import { signalUnknownPasskey } from '../../second-factor/passkey-signals.ts';
import { emailState, useCarriedEmail } from '../form/carried-email.ts';
import { EntryError } from '../form/entry-error.tsx';
import { formText } from '../form/form-text.ts';
import { rejectFields } from '../form/reject-fields.ts';
import { TextLink } from '../form/text-link.tsx';
import { pendingTokenOf } from './pending-token.ts';
import type { UnconfirmedAccount } from './wait-for-email.tsx';

const WaitForEmail = lazyPart(async () => (await import('./wait-for-email.tsx')).WaitForEmail);
const FactorError = lazyPart(async () => (await import('../../second-factor/factor-error.tsx')).FactorError);
const SecondStep = lazyPart(async () => (await import('../../second-factor/second-step.tsx')).SecondStep);

interface SignInPanelProps {
  readonly title: string;
  /** The program or site that requires the sign-in. */
  readonly introduction?: ReactNode;
  /** The purpose of the sign-in. */
  readonly text?: string | undefined;
  readonly email?: string | undefined;
  /** The element with the focus: the email address, or the title where there is something to read first. */
  readonly focus?: 'email' | 'title';
  readonly onSignedIn?: () => void;
  /** Alternatives to signing in. */
  readonly children?: ReactNode;
}

/** Signs in, requests the second factor, and waits for the email address to be confirmed. */
export function SignInPanel(props: SignInPanelProps) {
  const { title, introduction, text, email, focus = 'email', onSignedIn, children } = props;
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedAccount>();
  const [pendingToken, setPendingToken] = useState<string>();
  if (pendingToken !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep
          pendingToken={pendingToken}
          onSignedIn={onSignedIn}
          onLeave={() => setPendingToken(undefined)}
        />
      </Suspense>
    );
  }
  if (unconfirmed !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <WaitForEmail account={unconfirmed} onSignedIn={onSignedIn} />
      </Suspense>
    );
  }
  return (
    <>
      <PageTitle text={title} focusOnMount={focus === 'title'} />
      {introduction}
      {text !== undefined && <Text role="status">{text}</Text>}
      <SignInForm
        email={email}
        focusOnMount={focus === 'email'}
        onSignedIn={onSignedIn}
        onUnconfirmed={setUnconfirmed}
        onSecondFactor={setPendingToken}
      />
      {children}
    </>
  );
}

interface SignInFormProps {
  /** The probable address of the account. */
  readonly email?: string | undefined;
  /** Puts the cursor into it, on a page that is for nothing else. */
  readonly focusOnMount?: boolean;
  readonly onSignedIn?: (() => void) | undefined;
  readonly onUnconfirmed: (account: UnconfirmedAccount) => void;
  /** @param pendingToken of the sign-in that waits for a second factor */
  readonly onSecondFactor: (pendingToken: string) => void;
}

function SignInForm(props: SignInFormProps) {
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

function PasskeySignInError({ error }: { readonly error: unknown }) {
  if (!(error instanceof NoPasskey)) return <EntryError error={error} />;
  // A person who closes the browser's dialog needs no message.
  if (error.reason === 'declined') return null;
  return (
    <Suspense fallback={null}>
      <FactorError error={error} />
    </Suspense>
  );
}

/** Signs in without email and password. */
function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: (() => void) | undefined }) {
  const { t } = useTranslation('entry');
  const { submit, isPending, error } = useSubmit(async () => {
    const options = await passkeyOptions();
    const passkey = await answerWithPasskey(options);
    try {
      await signInWithPasskey(passkey);
    } catch (failure) {
      if (isPasskeyUnknown(failure)) await signalUnknownPasskey(options, passkey);
      throw failure;
    }
    onSignedIn?.();
  });
  return (
    <>
      <PasskeySignInError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('signIn.passkey')}
      </Button>
    </>
  );
}
