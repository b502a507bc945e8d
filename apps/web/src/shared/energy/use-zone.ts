import { useDeviceAbout } from './queries.ts';

/** The time zone of the site, in which its days begin; the reader's own where the device does not tell. */
export function useSiteTimeZone(): string {
  return useDeviceAbout()?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
