import { type RefObject, useEffect, useRef, useState } from 'react';

export interface BotCheck {
  /** Where the check is shown; another number is another check. */
  readonly round: number;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  /** @returns the verification token, once there is one: it takes a visitor's browser a second or more */
  readonly passed: () => Promise<string>;
  /** Begins anew: a token is good once. */
  readonly renew: () => void;
}

/** Hears what the page of the bot check, `/register/verify`, posts to the page that shows it. */
export function useBotCheck(): BotCheck {
  const frame = useRef<HTMLIFrameElement>(null);
  const token = useRef<string>(undefined);
  const waiting = useRef<(token: string) => void>(undefined);
  const [round, setRound] = useState(0);

  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return;
      token.current = tokenIn(data);
      if (token.current !== undefined) waiting.current?.(token.current);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);

  return {
    round,
    frame,
    passed: () =>
      new Promise((resolve) => {
        if (token.current === undefined) waiting.current = resolve;
        else resolve(token.current);
      }),
    renew: () => {
      token.current = undefined;
      waiting.current = undefined;
      setRound((before) => before + 1);
    },
  };
}

function tokenIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('verification_token' in data)) return undefined;
  return typeof data.verification_token === 'string' ? data.verification_token : undefined;
}
