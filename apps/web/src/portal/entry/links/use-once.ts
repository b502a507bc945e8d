import { useEffect, useRef, useState } from 'react';

interface Once {
  readonly error: unknown;
  /** Another attempt, for what failed without having arrived. */
  readonly again: () => void;
}

/** Does something as soon as it is shown, and a single time: the secret of a link is good once. */
export function useOnce(act: () => Promise<unknown>): Once {
  const [error, setError] = useState<unknown>();
  const isBegun = useRef(false);
  const begin = (): void => {
    setError(undefined);
    act().catch(setError);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, whatever renders again
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    begin();
  }, []);
  return { error, again: begin };
}
