import { localTime } from '@heliograph/kit/local-time';
import type { PvString } from './pv-string.ts';

/** The place of the plant and the seed of its random parts. */
export interface PlantSite {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  /** The place's clock minus UTC at an instant, in milliseconds. */
  readonly utcOffsetMs: (nowMs: number) => number;
  /** Clouds and appliances are drawn from this number. */
  readonly seed: number;
  /** Towards the morning sun, and towards the evening sun. */
  readonly strings: readonly [PvString, PvString];
  /** The part of the light that reaches the modules at an instant: little under snow, nothing behind a blown fuse. */
  readonly light: (nowMs: number) => number;
}

/** One roof to the south-east, one to the south-west: a long day rather than a high noon. */
export const PV_STRINGS: readonly [PvString, PvString] = [
  { peakW: 3_440, fromNoonDeg: -55, tiltDeg: 32, modules: 8 },
  { peakW: 2_580, fromNoonDeg: 55, tiltDeg: 32, modules: 6 },
];

/**
 * The place whose clocks follow a time zone. Its longitude is that of the zone's standard time, so that the
 * sun stands highest near twelve, or near one in summer time.
 *
 * @param timeZone IANA name
 * @throws RangeError when the name is unknown
 */
export function siteIn(timeZone: string, latitudeDeg: number, seed: number, nowMs: number): PlantSite {
  const utcOffsetMs = (atMs: number): number => localTime(atMs, timeZone) - atMs;
  const year = new Date(nowMs).getUTCFullYear();
  const standardMs = Math.min(utcOffsetMs(Date.UTC(year, 0, 1)), utcOffsetMs(Date.UTC(year, 6, 1)));
  return {
    latitudeDeg,
    longitudeDeg: (standardMs / 3_600_000) * 15,
    utcOffsetMs,
    seed,
    strings: PV_STRINGS,
    light: () => 1,
  };
}
