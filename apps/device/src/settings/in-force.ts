import type { MetricDefinition, MetricValue } from '@heliograph/metrics';

/**
 * Whether the hardware has the written value; its registers may be coarser than the setting's step, by half of it.
 *
 * @param written as text, as the log keeps it
 */
export function isInForce({ setting }: MetricDefinition, written: string, now: MetricValue): boolean {
  if (typeof now === 'boolean') return setting?.kind === 'switch' && now === (written === setting.on);
  if (setting?.kind !== 'number') return now === written;
  return typeof now === 'number' && Math.abs(now - Number(written)) <= setting.step / 2;
}
