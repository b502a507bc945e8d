import { type Quantity, quantities, type Unit } from '@heliograph/metrics';
import type { ProfileReading, ProfileSetting } from './profile-schema.ts';

type Making = (name: string) => Quantity;

const measured = (unit: Unit, decimals: number, deviceClass?: string): Making => {
  return (name) => ({
    name,
    group: 'Status',
    unit,
    decimals,
    stateClass: 'measurement',
    ...(deviceClass === undefined ? {} : { deviceClass }),
  });
};

const BY_UNIT: Readonly<Partial<Record<Unit, Making>>> = {
  W: quantities.power,
  VA: quantities.apparentPower,
  var: quantities.reactivePower,
  V: quantities.voltage,
  A: quantities.current,
  Hz: quantities.frequency,
  '%': quantities.percentage,
  '°C': quantities.temperature,
  kWh: quantities.lifetimeEnergy,
  Ah: quantities.capacity,
  s: measured('s', 0, 'duration'),
};

/** The quantity of a reading, with the classes that its unit has everywhere. */
export function quantityOf({ name, unit, type, group, counter, decimals }: ProfileReading): Quantity {
  const made = makingOf(unit, type, group, counter, name)(name);
  return {
    ...made,
    ...(group === undefined ? {} : { group }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

function makingOf(
  unit: ProfileReading['unit'],
  type: ProfileReading['type'],
  group: ProfileReading['group'],
  counter: ProfileReading['counter'],
  name: string,
): Making {
  if (counter === 'day') return (text) => ({ ...quantities.periodEnergy(text), decimals: 1 });
  if (name.endsWith('tate of charge')) return quantities.stateOfCharge;
  const isText = type === undefined || !NUMBER_TYPES.includes(type);
  if (unit === undefined && isText) return group === 'Info' ? quantities.info : quantities.state;
  const making = unit === undefined ? measured('', 0) : (BY_UNIT[unit] ?? quantities.state);
  return group === 'Info' ? (text) => withoutClasses(making(text)) : making;
}

const NUMBER_TYPES: readonly string[] = ['u16', 's16', 'u32', 's32', 'u64', 'f32'];

/** Facts of a nameplate are no measurements. */
function withoutClasses({ name, group, unit, decimals = 0 }: Quantity): Quantity {
  return { name, group, unit, decimals };
}

const MINUTES = 5;

export function settingQuantityOf(setting: ProfileSetting): Quantity {
  const { name, type, unit = '', min = 0, max = 0, labels = {}, scale = 1 } = setting;
  switch (type) {
    case 'code':
      return quantities.selectSetting(name, [...new Set(Object.values(labels))]);
    case 'switch':
      return quantities.switchSetting(name);
    case 'hhmm':
    case 'hours and minutes':
    case 'minutes and hours':
      return quantities.timeSetting(name, setting.step_minutes ?? MINUTES);
    default: {
      const step = setting.step ?? Math.abs(scale);
      return quantities.numberSetting(name, unit, { min, max, step }, setting.decimals ?? decimalsOf(step));
    }
  }
}

function decimalsOf(step: number): number {
  return step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
}
