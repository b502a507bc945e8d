import { hourAfter, hourAt } from '@heliograph/kit/local-hours';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';

const HOUR_MS = 60 * 60_000;

/** Clocks differ by 26 hours at most: no move reaches further back. */
const REACH_MS = 3 * DAY_MS;

/** History that the cloud has by the clock of a zone, until the next part begins. */
export interface SentPart {
  /** IANA name. */
  readonly zone: string;
  /** In milliseconds since the epoch: a midnight of the zone, or 0 for the first part. */
  readonly from: number;
}

/**
 * Adds a part where a site has come to another zone. It begins with the local day in which the last hour that was sent began, since
 * that hour was not over. Parts that begin later are replaced by it.
 *
 * @param untilMs until when the cloud has the history, in milliseconds since the epoch
 */
export function partsAfterMove(
  parts: readonly SentPart[],
  untilMs: number,
  zone: string,
): readonly SentPart[] {
  if (parts.at(-1)?.zone === zone) return parts;
  const from = startOfDay(localDay(untilMs - HOUR_MS, zone), zone);
  const kept = parts.filter((part) => part.from < from);
  const recent = kept.filter((_, i) => (kept[i + 1]?.from ?? Infinity) > untilMs - REACH_MS);
  return [...recent, { zone, from }];
}

/**
 * The end of the hour that the beginning of the last part divides, in milliseconds since the epoch: the cloud keeps that hour in
 * the part before, whole. The beginning of the part where it divides none.
 */
export function endOfDividedHour(parts: readonly SentPart[]): number {
  const [before, last] = parts.slice(-2);
  if (before === undefined || last === undefined) return before?.from ?? 0;
  return hourAfter(hourAt(last.from - 1, before.zone), before.zone);
}
