import { BUCKETS_PER_BLOCK } from '../resolution.ts';
import type { Bucket } from './bucket.ts';
import { ByteReader, ByteWriter, DamagedColumn } from './byte-column.ts';
import { factorOf } from './scale.ts';

/*
 * One topic's consecutive buckets:
 *
 *   decimals, bucket, bucket, ...
 *
 *   bucket     count - count before               0 readings: nothing more
 *              min - min before
 *              max - min                          0: sum and last follow from min
 *              sum - min * count
 *              last - min
 *
 * The first and third of these are often 0, so a value that stands still takes three bytes a bucket. Empty
 * buckets at the end are left out.
 */

/** @param buckets in the order of time; undefined where nothing was read */
export function encodeBuckets(buckets: readonly (Bucket | undefined)[], decimals: number): Uint8Array {
  const factor = factorOf(decimals);
  const writer = new ByteWriter();
  writer.unsigned(decimals);
  let countBefore = 0;
  let minBefore = 0;
  const end = buckets.findLastIndex((bucket) => bucket !== undefined) + 1;
  for (let i = 0; i < end; i++) {
    const bucket = buckets[i];
    const count = bucket?.count ?? 0;
    writer.signed(count - countBefore);
    countBefore = count;
    if (bucket === undefined) continue;
    const min = Math.round(bucket.min * factor);
    const range = Math.round(bucket.max * factor) - min;
    writer.signed(min - minBefore);
    minBefore = min;
    writer.unsigned(range);
    if (range === 0) continue;
    writer.unsigned(Math.max(0, Math.round(bucket.sum * factor) - min * count));
    writer.unsigned(Math.round(bucket.last * factor) - min);
  }
  return writer.bytes();
}

/** @throws DamagedColumn for bytes that are cut off, or are no column */
export function decodeBuckets(bytes: Uint8Array): (Bucket | undefined)[] {
  const reader = new ByteReader(bytes);
  const factor = factorOf(reader.unsigned());
  const buckets: (Bucket | undefined)[] = [];
  let count = 0;
  let min = 0;
  while (!reader.ended) {
    count += reader.signed();
    if (count < 0 || buckets.length === BUCKETS_PER_BLOCK)
      throw new DamagedColumn('the column is not one of buckets');
    if (count === 0) {
      buckets.push(undefined);
      continue;
    }
    min += reader.signed();
    const range = reader.unsigned();
    const sum = min * count + (range === 0 ? 0 : reader.unsigned());
    const last = min + (range === 0 ? 0 : reader.unsigned());
    buckets.push({
      count,
      sum: sum / factor,
      min: min / factor,
      max: (min + range) / factor,
      last: last / factor,
    });
  }
  return buckets;
}
