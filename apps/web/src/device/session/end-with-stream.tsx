import { useEffect } from 'react';
import { useLiveStatus } from '../../shared/live/live-context.tsx';
import { askWhoIsSignedIn } from './watch-refusals.ts';

/** The live stream is often the first to hear that access has ended. */
export function EndWithStream() {
  const { state } = useLiveStatus();
  useEffect(() => {
    if (state === 'refused') askWhoIsSignedIn();
  }, [state]);
  return null;
}
