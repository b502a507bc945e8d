import type { Quantity, Unit } from '@heliograph/metrics';
import { numberIn } from '../map/fields.ts';
import { shownSetting } from '../map/quantities.ts';
import { QPIRI } from '../map/ratings.ts';
import { batteryVolts, numberOf, type Pi30Setting, type Pi30SettingContext } from './setting.ts';

/** From here on the command for a grid charge current differs from firmware to firmware. */
const FIRST_OF_THREE_DIGITS = 100;

const NOT_LISTED = 'the inverter does not list which values it takes';

export function currentSettings(context: Pi30SettingContext): readonly Pi30Setting[] {
  const number = numberOf(context);
  const { chargeCurrents, gridChargeCurrents } = context;
  return [
    numberSetting(
      {
        name: 'Max charge current',
        unit: 'A',
        decimals: 0,
        at: 14,
        remark: 'the values that the inverter lists (QMCHGCR)',
      },
      ascending(chargeCurrents),
      (amps) =>
        amps < FIRST_OF_THREE_DIGITS
          ? `MCHGC${number}${digits(amps, 2)}`
          : `MNCHGC${number}${digits(amps, 3)}`,
      NOT_LISTED,
    ),
    numberSetting(
      {
        name: 'Max grid charge current',
        unit: 'A',
        decimals: 0,
        at: 13,
        remark: 'the values that the inverter lists (QMUCHGCR), those of 100 A and more left out',
      },
      ascending(gridChargeCurrents).filter((amps) => amps < FIRST_OF_THREE_DIGITS),
      (amps) => `MUCHGC${number}${digits(amps, 2)}`,
      NOT_LISTED,
    ),
    numberSetting(
      {
        name: 'Max discharge current',
        unit: 'A',
        decimals: 0,
        at: 27,
        remark: 'newer firmware, one source; only shown',
      },
      [],
      String,
      'the command for it is not confirmed',
    ),
  ];
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}

type ByBattery = Partial<Record<12 | 24 | 48, readonly number[]>>;

interface VoltageSetting extends Pick<NumberSetting, 'name' | 'at' | 'refusedWhen'> {
  readonly command: string;
  /** By nominal battery voltage, in V. */
  readonly allowed: ByBattery;
}

/** Every tenth of a volt, both ends included. */
function tenths(from: number, to: number): readonly number[] {
  const first = Math.round(from * 10);
  return Array.from({ length: Math.round(to * 10) - first + 1 }, (_, index) => (first + index) / 10);
}

const TO_GRID: ByBattery = {
  12: [11, 11.3, 11.5, 11.8, 12, 12.3, 12.5, 12.8],
  24: [22, 22.5, 23, 23.5, 24, 24.5, 25, 25.5],
  48: [44, 45, 46, 47, 48, 49, 50, 51],
};

/** 0 stands for "when the battery is full". */
const BACK_TO_BATTERY: ByBattery = {
  12: [0, 12, 12.3, 12.5, 12.8, 13, 13.3, 13.5, 13.8, 14, 14.3, 14.5],
  24: [0, 24, 24.5, 25, 25.5, 26, 26.5, 27, 27.5, 28, 28.5, 29],
  48: [0, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58],
};

const CHARGE: ByBattery = { 48: tenths(48, 58.4) };

const VOLTAGES: readonly VoltageSetting[] = [
  {
    name: 'To grid battery voltage',
    at: 8,
    command: 'PBCV',
    allowed: TO_GRID,
    refusedWhen: 'it must stay below the back to battery voltage',
  },
  {
    name: 'Back to battery voltage',
    at: 22,
    command: 'PBDV',
    allowed: BACK_TO_BATTERY,
    refusedWhen: 'it must stay above the to grid battery voltage; 0 stands for a full battery',
  },
  { name: 'Shutdown battery voltage', at: 9, command: 'PSDV', allowed: { 48: tenths(40, 48) } },
  {
    name: 'Battery absorption charge voltage',
    at: 10,
    command: 'PCVV',
    allowed: CHARGE,
    refusedWhen: 'it is taken with battery type User alone, and not below the float charge voltage',
  },
  {
    name: 'Battery float charge voltage',
    at: 11,
    command: 'PBFT',
    allowed: CHARGE,
    refusedWhen: 'it is taken with battery type User alone, and not above the absorption charge voltage',
  },
];

export function voltageSettings(context: Pi30SettingContext): readonly Pi30Setting[] {
  const volts = batteryVolts(context);
  return VOLTAGES.map(({ command, allowed, ...row }) =>
    numberSetting(
      { ...row, unit: 'V', decimals: 1, remark: remarkOf(allowed) },
      (volts === undefined ? undefined : allowed[volts]) ?? [],
      (value) => `${command}${value.toFixed(1).padStart(4, '0')}`,
      'which values it takes is not known for this battery voltage',
    ),
  );
}

function remarkOf(allowed: ByBattery): string {
  return Object.entries(allowed)
    .map(([volts, values]) =>
      values.length > 20
        ? `${volts} V: ${values[0]} to ${values.at(-1)}`
        : `${volts} V: ${values.join(', ')}`,
    )
    .join('; ');
}

/** A setting that is a number in `QPIRI`. */
interface NumberSetting {
  readonly name: string;
  readonly unit: Unit;
  readonly decimals: 0 | 1;
  readonly at: number;
  readonly refusedWhen?: string;
  readonly remark?: string;
}

/**
 * @param choices every value that the inverter accepts, lowest first
 * @param readOnlyReason why there is none
 */
function numberSetting(
  { name, unit, decimals, at, refusedWhen, remark }: NumberSetting,
  choices: readonly number[],
  command: (value: number) => string,
  readOnlyReason: string,
): Pi30Setting {
  const quantity: Quantity =
    choices.length === 0
      ? shownSetting(name, unit, readOnlyReason, decimals)
      : { name, group: 'Settings', unit, decimals, setting: ruleOf(choices, decimals) };
  return {
    quantity,
    query: QPIRI,
    from: `QPIRI field ${at}`,
    read: (fields) => (at < fields.length ? numberIn(fields[at]) : undefined),
    commands: new Map(choices.map((choice) => [choice, command(choice)])),
    ...(refusedWhen === undefined ? {} : { refusedWhen }),
    ...(remark === undefined ? {} : { remark }),
  };
}

/** The widest step that leads from the lowest choice to every other one; those in between are refused later. */
function ruleOf(choices: readonly number[], decimals: number): NonNullable<Quantity['setting']> {
  const scale = 10 ** decimals;
  const whole = choices.map((choice) => Math.round(choice * scale));
  const [lowest = 0] = whole;
  const step = whole.reduce((common, choice) => divisor(common, choice - lowest), 0);
  return { kind: 'number', min: lowest / scale, max: Math.max(...whole) / scale, step: (step || 1) / scale };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
