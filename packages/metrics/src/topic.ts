/** The kinds of thing that have metrics, in the spelling that rows carry in their `device` field. */
export type Device = 'totals' | 'inverters' | 'batteries' | 'grid' | 'weather' | 'system';

const PREFIXES: Readonly<Record<Device, string>> = {
  totals: 'total',
  inverters: 'inverter',
  batteries: 'battery',
  grid: 'grid',
  weather: 'weather',
  system: 'system',
};

/** Only inverters and batteries come in several; their rows are numbered from 0, their topics from 1. */
export function isNumbered(device: Device): boolean {
  return device === 'inverters' || device === 'batteries';
}

/**
 * The topic of a metric: its device's prefix and its display name in lower case, spaces as underscores, all
 * other punctuation kept.
 *
 * @param number 0-based for inverters and batteries, otherwise null
 * @example topicOf('batteries', 0, 'Cell voltage - Highest') // battery_1/cell_voltage_-_highest
 */
export function topicOf(device: Device, number: number | null, name: string): string {
  const prefix = isNumbered(device) ? `${PREFIXES[device]}_${(number ?? 0) + 1}` : PREFIXES[device];
  return `${prefix}/${name.toLowerCase().replaceAll(' ', '_')}`;
}
