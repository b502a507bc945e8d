import { useEffect, useRef, useState } from 'react';

interface OneTimeAction {
  readonly isDone: boolean;
  /** Why it failed; undefined while it has not. */
  readonly error: unknown;
  /** Another attempt, for what failed without having arrived. */
  readonly retry: () => void;
}

/** Does something as soon as it is shown, and a single time: the secret of a link is good once. */
export function useOneTimeAction(act: () => Promise<unknown>): OneTimeAction {
  const [{ isDone, error }, setOutcome] = useState<Omit<OneTimeAction, 'retry'>>({
    isDone: false,
    error: undefined,
  });
  const isBegun = useRef(false);
  const begin = (): void => {
    setOutcome({ isDone: false, error: undefined });
    act().then(
      () => setOutcome({ isDone: true, error: undefined }),
      (failure: unknown) => setOutcome({ isDone: false, error: failure }),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, whatever renders again
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    begin();
  }, []);
  return { isDone, error, retry: begin };
}
