import { useEffect } from 'react';
import { useLiveStatus } from '../../shared/live/live-context.tsx';
import { refetchSession } from './watch-unauthorized.ts';

/** The live stream is often the first to hear that access has ended. */
export function RefetchSessionOnRefusal() {
  const { state } = useLiveStatus();
  useEffect(() => {
    if (state === 'refused') refetchSession();
  }, [state]);
  return null;
}
