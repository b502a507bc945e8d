import { useEffect, useState } from 'react';
import { useLiveValue } from './live-context.tsx';

/** How long the parts below the first view wait for the live values, in milliseconds. */
const REST_PATIENCE_MS = 3_000;

/** How long the browser has to show them, in milliseconds. */
const SHOWN_WITHIN_MS = 100;

/** Whether the parts below the first view may load: the line of a slow phone belongs to the live values until they are shown. */
export function useIsRestDue(): boolean {
  const hasValues = useLiveValue('total/load_power') !== undefined;
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), hasValues ? SHOWN_WITHIN_MS : REST_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [hasValues]);
  return isDue;
}
