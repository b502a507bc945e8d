import { Alert, Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { signIn } from '../../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { MailboxLink } from '../form/mailbox-link.tsx';
import { pendingTokenOf } from './pending-token.ts';
import { waitForConfirmation } from './wait-for-confirmation.ts';

/** An account whose email address is not confirmed yet. */
export interface UnconfirmedAccount {
  readonly email: string;
  /** For another mail. */
  readonly password: string;
  readonly pendingToken: string;
}

interface WaitForEmailProps {
  readonly account: UnconfirmedAccount;
  /** Called after the sign-in; the pages follow the session by themselves. */
  readonly onSignedIn?: (() => void) | undefined;
}

/** Goes on by itself once the link in the mail was opened, wherever that was. */
export function WaitForEmail({ account, onSignedIn }: WaitForEmailProps) {
  const { t } = useTranslation('entry');
  const { isExpired, canResend, resend, isResending, error } = useConfirmation(account, onSignedIn);
  return (
    <>
      <PageTitle text={t('wait.title')} focusOnMount />
      <Text>
        <Trans
          t={t}
          i18nKey="wait.text"
          values={{ email: account.email }}
          components={{ strong: <strong style={{ overflowWrap: 'anywhere' }} /> }}
        />
      </Text>
      <MailboxLink />
      {isExpired && (
        <Alert color="yellow" role="alert">
          {t('wait.expired')}
        </Alert>
      )}
      <EntryError error={error} />
      <Text c="dimmed" size="sm" role="status">
        {canResend ? t('wait.notThere') : t('wait.notYet')}
      </Text>
      {(canResend || isExpired) && (
        <Button variant="default" loading={isResending} onClick={resend}>
          {t('wait.again')}
        </Button>
      )}
    </>
  );
}

/** Shortest time between two mails of the service, in milliseconds. */
const MAIL_GAP_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Confirmation {
  /** Whether the wait was too long, so that opening the link no longer signs in here. */
  readonly isExpired: boolean;
  /** Whether another mail would be sent by now. */
  readonly canResend: boolean;
  readonly resend: () => void;
  readonly isResending: boolean;
  /** Why no other mail could be asked for. */
  readonly error: unknown;
}

function useConfirmation(account: UnconfirmedAccount, onSignedIn: (() => void) | undefined): Confirmation {
  const { email, password } = account;
  const [token, setToken] = useState(account.pendingToken);
  const [isExpired, setExpired] = useState(false);
  const [canResend, setCanResend] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the wait is for one token
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const attempt = () => signIn({ email, pending_token: token });
    void waitForConfirmation({ attempt, pause, signal }).then((outcome) => {
      if (signal.aborted) return;
      if (outcome === 'expired') setExpired(true);
      else onSignedIn?.();
    });
    return () => gone.abort();
  }, [email, token]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every token has had a mail of its own
  useEffect(() => {
    setCanResend(false);
    const timer = setTimeout(() => setCanResend(true), MAIL_GAP_MS);
    return () => clearTimeout(timer);
  }, [token]);

  const resending = useSubmit(async () => {
    try {
      await signIn({ email, password });
    } catch (error) {
      const fresh = pendingTokenOf(error);
      if (fresh === undefined) throw error;
      setExpired(false);
      setToken(fresh);
      return;
    }
    onSignedIn?.();
  });

  const { submit, isPending: isResending, error } = resending;
  return { isExpired, canResend, resend: () => submit(undefined), isResending, error };
}
