import { type CommandSetting, type NumberSetting, numberSetting, tenths } from '../../voltronic/setting.ts';
import { QPIRI } from '../map/ratings.ts';
import { batteryVolts, numberOf, type Pi30SettingContext } from './setting.ts';

/** From here on the command for a grid charge current differs from firmware to firmware. */
const FIRST_OF_THREE_DIGITS = 100;

const NOT_LISTED = 'the inverter does not list which values it takes';

export function currentSettings(context: Pi30SettingContext): readonly CommandSetting[] {
  const number = numberOf(context);
  const { chargeCurrents, gridChargeCurrents } = context;
  return [
    numberSetting(
      {
        name: 'Max charge current',
        unit: 'A',
        decimals: 0,
        query: QPIRI,
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
        query: QPIRI,
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
        query: QPIRI,
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

export function voltageSettings(context: Pi30SettingContext): readonly CommandSetting[] {
  const volts = batteryVolts(context);
  return VOLTAGES.map(({ command, allowed, ...row }) =>
    numberSetting(
      { ...row, query: QPIRI, unit: 'V', decimals: 1, remark: remarkOf(allowed) },
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
