import { ApiError } from '@heliograph/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './bot-check.module.css';

interface BotCheckFrameProps {
  readonly check: BotCheck;
  readonly error: string | undefined;
}

/** The check that a visitor is no robot, which needs nothing from them but a moment. */
export function BotCheckFrame({ check, error }: BotCheckFrameProps) {
  const { t, i18n } = useTranslation('entry');
  const query = new URLSearchParams({ language: i18n.language });
  return (
    <div>
      <iframe
        key={check.round}
        ref={check.frame}
        className={classes.frame}
        title={t('check.title')}
        src={`/register/verify?${query}`}
      />
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {t('check.failed')}
        </p>
      )}
    </div>
  );
}

interface BotCheck {
  /** The key of the frame: another number starts another check. */
  readonly round: number;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  /**
   * @returns the verification token, once there is one: it takes a visitor's browser a second or more
   * @throws ApiError with status 422 for `verification_token` when the check failed
   */
  readonly token: () => Promise<string>;
  /** Begins again: a token is good once. */
  readonly restart: () => void;
}

/** Receives the messages of the bot check's page, `/register/verify`, which the frame shows. */
export function useBotCheck(): BotCheck {
  const frame = useRef<HTMLIFrameElement>(null);
  const outcome = useRef<Pending>(undefined);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      const token = tokenIn(data);
      const latest = pending();
      for (const each of [outcome.current, latest]) each?.settle(token);
      outcome.current = latest;
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);

  return {
    round,
    frame,
    token() {
      outcome.current ??= pending();
      return outcome.current.promise;
    },
    restart() {
      outcome.current = undefined;
      setRound((before) => before + 1);
    },
  };
}

/** A token to come. */
interface Pending {
  readonly promise: Promise<string>;
  readonly settle: (token: string | undefined) => void;
}

function pending(): Pending {
  let settle: Pending['settle'] = () => undefined;
  const promise = new Promise<string>((resolve, reject) => {
    settle = (token) => (token === undefined ? reject(failed()) : resolve(token));
  });
  // The form handles a failure when it is sent; before that no one does.
  promise.catch(() => undefined);
  return { promise, settle };
}

function failed(): ApiError {
  return new ApiError(location.origin, 422, '', { errors: { verification_token: ['is missing'] } });
}

function tokenIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('verification_token' in data)) return undefined;
  return typeof data.verification_token === 'string' ? data.verification_token : undefined;
}
