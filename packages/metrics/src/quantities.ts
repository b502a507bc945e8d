import type { Quantity, Unit } from './metric.ts';

/** Shorthands for the measurements that every family has; each fixes unit, precision and classes once. */
function measurement(unit: Unit, decimals: number, deviceClass?: string) {
  return (name: string): Quantity => ({
    name,
    group: 'Status',
    unit,
    decimals,
    stateClass: 'measurement',
    ...(deviceClass === undefined ? {} : { deviceClass }),
  });
}

export const power = measurement('W', 0, 'power');
export const apparentPower = measurement('VA', 0, 'apparent_power');
export const reactivePower = measurement('var', 0, 'reactive_power');
/** Of active to apparent power, from -1 to 1. */
export const powerFactor = measurement('', 2);
export const voltage = measurement('V', 1, 'voltage');
export const cellVoltage = measurement('V', 3, 'voltage');
export const current = measurement('A', 1, 'current');
export const frequency = measurement('Hz', 2, 'frequency');
export const temperature = measurement('°C', 1, 'temperature');
export const percentage = measurement('%', 0);
/** Total or remaining charge of a battery. */
export const capacity = measurement('Ah', 1);
export const stateOfCharge = measurement('%', 0, 'battery');

/** Energy since the period began: restarts from zero, hence `total_increasing`. */
export function periodEnergy(name: string): Quantity {
  return {
    name,
    group: 'Status',
    unit: 'kWh',
    decimals: 2,
    deviceClass: 'energy',
    stateClass: 'total_increasing',
  };
}

/** A lifetime counter kept by the hardware itself. */
export function lifetimeEnergy(name: string): Quantity {
  return { ...periodEnergy(name), decimals: 1 };
}

/** A text that describes the device: no unit and no classes, which Home Assistant refuses on texts. */
export function info(name: string): Quantity {
  return { name, group: 'Info', unit: '' };
}

/** A text that changes as the device works. */
export function state(name: string): Quantity {
  return { name, group: 'Status', unit: '' };
}

/** Home Assistant's classes of what a number that is set is of. */
const SETTING_CLASSES: Partial<Record<Unit, string>> = {
  W: 'power',
  V: 'voltage',
  A: 'current',
  Hz: 'frequency',
};

export function numberSetting(
  name: string,
  unit: Unit,
  bounds: { readonly min: number; readonly max: number; readonly step: number },
  decimals = 0,
): Quantity {
  const deviceClass = SETTING_CLASSES[unit];
  return {
    name,
    group: 'Settings',
    unit,
    decimals,
    ...(deviceClass === undefined ? {} : { deviceClass }),
    setting: { kind: 'number', ...bounds },
  };
}

export function selectSetting(name: string, options: readonly string[]): Quantity {
  return { name, group: 'Settings', unit: '', setting: { kind: 'select', options } };
}

/** On or off; its value is a boolean, what is written the text of one. */
export function switchSetting(name: string): Quantity {
  return { name, group: 'Settings', unit: 'Enabled', setting: { kind: 'switch', on: 'true', off: 'false' } };
}

const MINUTES_PER_DAY = 1440;

/** A time of day, `HH:MM:SS`, of which `HH:MM` is taken too. @param stepMinutes how far the times on offer are apart */
export function timeSetting(name: string, stepMinutes: number): Quantity {
  return { name, group: 'Settings', unit: 'hhmm', setting: { kind: 'select', ...timesEvery(stepMinutes) } };
}

interface Times {
  readonly options: readonly string[];
  readonly synonyms: Readonly<Record<string, string>>;
}

/** By the minutes between them: each is hundreds of texts, and an inverter has dozens of such settings. */
const knownTimes = new Map<number, Times>();

function timesEvery(stepMinutes: number): Times {
  const known = knownTimes.get(stepMinutes);
  if (known !== undefined) return known;
  const short = Array.from({ length: MINUTES_PER_DAY / stepMinutes }, (_, index) => {
    const minutes = index * stepMinutes;
    return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  });
  const times: Times = {
    options: short.map((time) => `${time}:00`),
    synonyms: Object.fromEntries(short.map((time) => [time, `${time}:00`])),
  };
  knownTimes.set(stepMinutes, times);
  return times;
}
