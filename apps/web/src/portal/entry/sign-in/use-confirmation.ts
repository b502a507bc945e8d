import { useEffect, useState } from 'react';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { signIn } from '../../session/session.ts';
import { pendingTokenOf } from './pending-token.ts';
import { waitForConfirmation } from './wait-for-confirmation.ts';
import type { UnconfirmedAccount } from './wait-for-email.tsx';

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

export function useConfirmation(
  account: UnconfirmedAccount,
  onSignedIn: (() => void) | undefined,
): Confirmation {
  const { email, password } = account;
  const [token, setToken] = useState(account.pendingToken);
  const [isExpired, setExpired] = useState(false);
  const [canResend, setCanResend] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever waits goes on waiting for the same token
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
