import { useEffect, useState } from 'react';

/** After so long an indicator without words looks like a failure, in milliseconds. */
const SLOW_MS = 2_500;

/** Whether a wait has taken so long that the page explains it. */
export function useIsSlow(isWaiting = true): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting]);
  return isSlow;
}
