import type { MetricValue } from '@heliograph/metrics';
import { WriteWithheld } from '../bus/failures.ts';

/**
 * The error of a write to a unit that was exchanged since the last poll.
 *
 * @param now the serial number that was read for the write
 * @param message for the log of the device
 */
export function exchanged(now: MetricValue, before: MetricValue, message: string): WriteWithheld {
  const reason = `another unit answers there, with serial number ${now} instead of ${before}`;
  return new WriteWithheld('exchanged', reason, message);
}
