/** The aggregate of a topic's readings over one stretch of time. */
export interface Bucket {
  /** At least 1. */
  count: number;
  sum: number;
  min: number;
  max: number;
  last: number;
}

export function bucketOf(value: number): Bucket {
  return { count: 1, sum: value, min: value, max: value, last: value };
}

/** Adds a later bucket to an earlier one. */
export function addBucket(bucket: Bucket, later: Readonly<Bucket>): void {
  bucket.count += later.count;
  bucket.sum += later.sum;
  if (later.min < bucket.min) bucket.min = later.min;
  if (later.max > bucket.max) bucket.max = later.max;
  bucket.last = later.last;
}

export function addReading(bucket: Bucket, value: number): void {
  bucket.count++;
  bucket.sum += value;
  if (value < bucket.min) bucket.min = value;
  if (value > bucket.max) bucket.max = value;
  bucket.last = value;
}
