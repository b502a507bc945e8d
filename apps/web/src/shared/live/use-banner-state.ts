import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { AWAY_AFTER_MS, type BannerState, bannerState } from './banner-state.ts';
import { useDefinitions, useLive, useLiveStatus } from './live-context.tsx';

/** The powers of the home: when none of them can be read, nothing of the hardware can. */
const POWERS = ['total/pv_power', 'total/load_power', 'total/grid_power', 'total/battery_power'];

export interface Banner {
  readonly state: BannerState;
  /** Since when the values are old, in milliseconds since 1970; undefined while they are not, or while there are none. */
  readonly valuesUntil: number | undefined;
}

export function useBannerState(): Banner {
  const status = useLiveStatus();
  const hasValues = useDefinitions().length > 0;
  const isAllStale = useAllStale();
  const isBrowserOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const nowMs = useTimeOnce(status.since + AWAY_AFTER_MS);
  const state = bannerState({ status, hasValues, isAllStale, isBrowserOnline, nowMs });
  return { state, valuesUntil: status.state === 'reconnecting' && hasValues ? status.since : undefined };
}

function useAllStale(): boolean {
  const { values } = useLive();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = POWERS.map((topic) => values.onValue(topic, listener));
      return () => ends.forEach((end) => void end());
    },
    [values],
  );
  return useSyncExternalStore(subscribe, () => {
    const known = POWERS.map((topic) => values.get(topic)).filter((value) => value !== undefined);
    return known.length > 0 && known.every(({ stale }) => stale);
  });
}

/** Renders once more when a time has come. @returns now, in milliseconds since 1970 */
function useTimeOnce(atMs: number): number {
  const [, setPassed] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(atMs), Math.max(0, atMs - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [atMs]);
  return Date.now();
}

function onConnection(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
