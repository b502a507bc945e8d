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

const QUARTER_HOUR_MS = 900_000;

/**
 * The place whose clocks follow a time zone. Its longitude is that of the zone's standard time, so that the
 * sun stands highest near twelve, or near one in summer time.
 *
 * @param timeZone IANA name
 * @throws RangeError when the name is unknown
 */
export function siteIn(timeZone: string, latitudeDeg: number, seed: number, nowMs: number): PlantSite {
  const utcOffsetMs = offsetOf(timeZone);
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

/** Offsets change on quarter hours only, so one look-up serves for that long. */
function offsetOf(timeZone: string): (nowMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  let quarter = Number.NaN;
  let offsetMs = 0;
  return (nowMs) => {
    const requested = Math.floor(nowMs / QUARTER_HOUR_MS);
    if (requested !== quarter) {
      quarter = requested;
      offsetMs = parseOffset(format.formatToParts(nowMs).find((part) => part.type === 'timeZoneName')?.value);
    }
    return offsetMs;
  };
}

/** `GMT`, `GMT+05:30`, and for old dates `GMT-00:01:15`. */
function parseOffset(text = 'GMT'): number {
  const match = /^GMT([+-])(\d\d):(\d\d)/.exec(text);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -1 : 1) * minutes * 60_000;
}
