import type { SiteCounts } from '@heliograph/client';
import { isAlertFilter, type SiteFilter } from '../list/search.ts';

/** The sites that were counted, and that a filter shows. */
export function shownOf(counts: SiteCounts, filter: SiteFilter): number {
  if (filter === 'all') return totalOf(counts);
  return isAlertFilter(filter) ? counts.alerts[filter] : counts[filter];
}

/** The sites that were counted. */
export function totalOf({ hardware_silent: silent, offline, never_seen: never, online }: SiteCounts): number {
  return silent + offline + never + online;
}
