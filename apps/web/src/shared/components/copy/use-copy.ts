import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** How long a button says that it has copied, in milliseconds. */
const SHOWN_FOR_MS = 3_000;

interface Copying {
  /** How the last attempt went, for a moment. */
  readonly outcome: 'copied' | 'failed' | undefined;
  readonly copy: () => void;
}

export function useCopy(text: string): Copying {
  const [attempt, setAttempt] = useState<{ readonly succeeded: boolean }>();
  useEffect(() => {
    if (attempt === undefined) return undefined;
    const timer = setTimeout(() => setAttempt(undefined), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [attempt]);
  const copy = (): void => void copyText(text).then((succeeded) => setAttempt({ succeeded }));
  return { outcome: attempt && (attempt.succeeded ? 'copied' : 'failed'), copy };
}
