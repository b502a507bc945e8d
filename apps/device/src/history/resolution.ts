const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Buckets in one row of a roll-up: the row is written again as long as it is the newest, so it is short. */
export const BUCKETS_PER_BLOCK = 12;

/** One of the roll-ups that are kept beside the readings themselves. */
export interface Rollup {
  readonly table: 'five_minutes' | 'hours';
  readonly bucketMs: number;
}

export const FIVE_MINUTES: Rollup = { table: 'five_minutes', bucketMs: 5 * MINUTE_MS };
export const HOURS: Rollup = { table: 'hours', bucketMs: HOUR_MS };
export const ROLLUPS: readonly Rollup[] = [FIVE_MINUTES, HOURS];

/** The resolutions in which a topic's history is stored, from the finest to the coarsest. */
export type Resolution = 'readings' | Rollup['table'];

/** Position of a time in a roll-up: the row's number since 1970, and the bucket within it. */
export function placeOf(
  timeMs: number,
  { bucketMs }: Rollup,
): { readonly block: number; readonly index: number } {
  const bucket = Math.floor(timeMs / bucketMs);
  const block = Math.floor(bucket / BUCKETS_PER_BLOCK);
  return { block, index: bucket - block * BUCKETS_PER_BLOCK };
}

/** When a row's first bucket begins, in milliseconds since the epoch. */
export function blockStart(block: number, { bucketMs }: Rollup): number {
  return block * BUCKETS_PER_BLOCK * bucketMs;
}

/** One step of the retention: rows older than `protectedMs` are removed, `sliceMs` at a time from the oldest on. */
export interface RetentionTier {
  readonly resolution: Resolution;
  readonly protectedMs: number;
  readonly sliceMs: number;
}

/**
 * In the order in which they make room. A last part of each is spared in the first round, so that a limit that is
 * too small for years still leaves the curve of today.
 */
export const RETENTION_TIERS: readonly RetentionTier[] = [
  { resolution: 'readings', protectedMs: DAY_MS, sliceMs: HOUR_MS },
  { resolution: 'five_minutes', protectedMs: 30 * DAY_MS, sliceMs: DAY_MS },
  { resolution: 'hours', protectedMs: 366 * DAY_MS, sliceMs: 10 * DAY_MS },
  { resolution: 'readings', protectedMs: 0, sliceMs: HOUR_MS },
  { resolution: 'five_minutes', protectedMs: 0, sliceMs: DAY_MS },
  { resolution: 'hours', protectedMs: 0, sliceMs: 10 * DAY_MS },
];
