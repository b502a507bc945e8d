import type { SiteCounts } from '@heliograph/client';

/** The sites that were counted. */
export function totalOf({ hardware_silent: silent, offline, never_seen: never, online }: SiteCounts): number {
  return silent + offline + never + online;
}
