/**
 * Names of one unit of hardware, by its kind in the spelling that rows carry in their `device` field. Chargers
 * charge the battery: of the sun, of the grid, or of both.
 */
export const UNIT_NAMES = {
  inverters: 'inverter',
  batteries: 'battery',
  meters: 'meter',
  chargers: 'charger',
  generators: 'generator',
} as const;

export type UnitKind = keyof typeof UNIT_NAMES;
export type UnitName = (typeof UNIT_NAMES)[UnitKind];

/** The kinds of hardware units, in the order of a read. */
export const UNIT_KINDS = Object.keys(UNIT_NAMES) as readonly UnitKind[];

/** @example unitTitle('meters') // Meter */
export function unitTitle(kind: UnitKind): string {
  return UNIT_NAMES[kind].replace(/^./, (initial) => initial.toUpperCase());
}

/** The kinds of thing that have metrics. */
export type Device = 'totals' | UnitKind | 'grid' | 'weather' | 'system';

const PREFIXES: Readonly<Record<Device, string>> = {
  ...UNIT_NAMES,
  totals: 'total',
  grid: 'grid',
  weather: 'weather',
  system: 'system',
};

/** Only units of hardware come in several; their rows are numbered from 0, their topics from 1. */
export function isUnitKind(device: Device): device is UnitKind {
  return Object.hasOwn(UNIT_NAMES, device);
}

/**
 * The beginning of all topics of a device.
 *
 * @param number 0-based for units of hardware, otherwise null
 * @example topicPrefix('meters', 0) // meter_1
 */
export function topicPrefix(device: Device, number: number | null): string {
  return isUnitKind(device) ? `${PREFIXES[device]}_${(number ?? 0) + 1}` : PREFIXES[device];
}

/**
 * The topic of a metric: its device's prefix and its display name in lower case, spaces as underscores, all
 * other punctuation kept.
 *
 * @param number 0-based for units of hardware, otherwise null
 * @example topicOf('batteries', 0, 'Cell voltage - Highest') // battery_1/cell_voltage_-_highest
 */
export function topicOf(device: Device, number: number | null, name: string): string {
  return `${topicPrefix(device, number)}/${name.toLowerCase().replaceAll(' ', '_')}`;
}
