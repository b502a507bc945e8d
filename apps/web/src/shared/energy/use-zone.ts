import { useDeviceAbout } from './queries.ts';

/** The time zone of the site, in which its days begin; the reader's own where the device does not tell. */
export function useSiteZone(): string {
  return useDeviceAbout()?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
