import type { Snapshot } from '../poll/snapshot.ts';

/**
 * The serial number of the unit that a topic belongs to.
 *
 * @returns null while it is not known; undefined for a unit that has none
 */
export function unitSerialNumber(topic: string, { samples }: Snapshot): string | null | undefined {
  const sample = samples.get(`${topic.slice(0, topic.indexOf('/'))}/serial_number`);
  if (sample === undefined) return undefined;
  return sample.value === null ? null : String(sample.value);
}
