import type { LiveStatus } from './live-values.ts';

/** The state of the values on a page. */
export type BannerState =
  | 'live'
  | 'connecting'
  | 'reconnecting'
  | 'away'
  | 'browser-offline'
  | 'refused'
  | 'stale';

/** After so long without a connection it is no short break any more, in milliseconds. */
export const AWAY_AFTER_MS = 15_000;

export interface BannerFacts {
  readonly status: LiveStatus;
  /** Whether values have ever come. */
  readonly hasValues: boolean;
  /** Whether all values of the hardware are too old to count. */
  readonly isAllStale: boolean;
  readonly isBrowserOnline: boolean;
  readonly nowMs: number;
}

export function bannerState({
  status,
  hasValues,
  isAllStale,
  isBrowserOnline,
  nowMs,
}: BannerFacts): BannerState {
  if (status.state === 'refused') return 'refused';
  if (status.state === 'live') return isAllStale ? 'stale' : 'live';
  if (!isBrowserOnline) return 'browser-offline';
  if (nowMs - status.since >= AWAY_AFTER_MS) return 'away';
  return hasValues ? 'reconnecting' : 'connecting';
}
