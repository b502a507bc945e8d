import { useEffect, useState } from 'react';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { signIn } from '../../session/session.ts';
import { pendingTokenOf } from './pending-token.ts';
import { untilConfirmed } from './until-confirmed.ts';
import type { Unconfirmed } from './wait-for-email.tsx';

/** Shortest time between two mails of the service, in milliseconds. */
const MAIL_GAP_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Confirmation {
  /** Whether the wait was too long, so that opening the link no longer signs in here. */
  readonly isExpired: boolean;
  /** Whether another mail would be sent by now. */
  readonly mayAskAgain: boolean;
  readonly askAgain: () => void;
  readonly isAsking: boolean;
  /** Why no other mail could be asked for. */
  readonly error: unknown;
}

export function useConfirmation(whose: Unconfirmed, onSignedIn: (() => void) | undefined): Confirmation {
  const { email, password } = whose;
  const [token, setToken] = useState(whose.pendingToken);
  const [isExpired, setExpired] = useState(false);
  const [mayAskAgain, setMayAskAgain] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever waits goes on waiting for the same token
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    const attempt = () => signIn({ email, pending_token: token });
    void untilConfirmed({ attempt, pause, signal }).then((outcome) => {
      if (signal.aborted) return;
      if (outcome === 'expired') setExpired(true);
      else onSignedIn?.();
    });
    return () => gone.abort();
  }, [email, token]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every token has had a mail of its own
  useEffect(() => {
    setMayAskAgain(false);
    const timer = setTimeout(() => setMayAskAgain(true), MAIL_GAP_MS);
    return () => clearTimeout(timer);
  }, [token]);

  const asking = useSubmit(async () => {
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

  const { submit, isPending: isAsking, error } = asking;
  return { isExpired, mayAskAgain, askAgain: () => submit(undefined), isAsking, error };
}
