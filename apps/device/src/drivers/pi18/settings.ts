import type { MetricValue, Quantity } from '@heliograph/metrics';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import { BATTERY_TYPES, INPUT_RANGES, OUTPUT_MODES, SWITCH_LABELS } from '../voltronic/labels.ts';
import {
  type CommandSetting,
  numberSetting,
  type OptionSetting,
  optionSetting,
  settingWithCommand,
  tenths,
} from '../voltronic/setting.ts';
import { FLAG, PIRI, RATING } from './queries.ts';

/** The properties of an inverter that determine its settings. */
export interface Pi18SettingContext {
  /** The answer to `PIRI` when the inverter was opened. */
  readonly ratings: AnswerFields | undefined;
  /** Currents that the inverter lists, in A; empty when it lists none. */
  readonly chargeCurrents: readonly number[];
  readonly gridChargeCurrents: readonly number[];
}

/** The currents of a list such as `010,020,030`. */
export function currentsIn(list: string): readonly number[] {
  return list
    .split(',')
    .map(Number)
    .filter((amps) => amps > 0);
}

/** The output mode of an inverter that stands alone, whose number inside commands is 0. */
const SINGLE = 0;

const PARALLEL =
  'the number of this inverter in its parallel system is not confirmed, so the command is not sent';

type OptionRow = Omit<OptionSetting, 'query' | 'codes'> & {
  readonly codes: readonly number[];
  /** Whether the command has the inverter's number in its parallel system. */
  readonly numbered?: true;
};

const OPTIONS: readonly OptionRow[] = [
  {
    name: 'Output source priority',
    at: 17,
    labels: { 0: 'SUB', 1: 'SBU' },
    codes: [0, 1],
    command: (code) => `POP${code}`,
    synonyms: { 'Solar/Utility/Battery': 'SUB', 'Solar/Battery/Utility': 'SBU' },
  },
  {
    name: 'Charger source priority',
    at: 18,
    labels: { 0: 'Solar first', 1: 'Solar and utility', 2: 'Solar only' },
    codes: [0, 1, 2],
    command: (code) => `PCP0,${code}`,
    synonyms: { 'Solar and utility simultaneously': 'Solar and utility' },
    numbered: true,
  },
  {
    name: 'Solar power priority',
    at: 23,
    labels: { 0: 'Battery/Load/Utility', 1: 'Load/Battery/Utility' },
    codes: [0, 1],
    command: (code) => `PSP${code}`,
  },
  {
    name: 'Battery type',
    at: RATING.batteryType,
    labels: BATTERY_TYPES,
    codes: [0, 1, 2],
    command: (code) => `PBT${code}`,
    remark: 'others than AGM, Flooded and User are only shown, and their numbers are not confirmed',
  },
  {
    name: 'Input voltage range',
    at: 16,
    labels: INPUT_RANGES,
    codes: [0, 1],
    command: (code) => `PGR${code}`,
  },
  {
    name: 'Output mode',
    at: RATING.outputMode,
    labels: OUTPUT_MODES,
    codes: [],
    command: String,
    readOnlyReason: 'it is set while the inverters of a parallel system are installed',
  },
];

/** The letter of a flag's command, by its place in `FLAG`. */
const FLAGS: readonly (readonly [at: number, name: string, letter: string])[] = [
  [1, 'Overload bypass', 'B'],
  [2, 'LCD returns to default page', 'C'],
  [3, 'Overload restart', 'D'],
  [4, 'Over temperature restart', 'E'],
  [5, 'LCD backlight', 'F'],
  [6, 'Alarm when primary source is interrupted', 'G'],
  [7, 'Record fault code', 'H'],
];

const VOLTAGES: readonly (readonly [at: number, name: string])[] = [
  [8, 'To grid battery voltage'],
  [9, 'Back to battery voltage'],
  [11, 'Battery absorption charge voltage'],
  [12, 'Battery float charge voltage'],
];

/** Everything that an inverter can be set to, and what it only shows of its settings. */
export function settingsOf(context: Pi18SettingContext): readonly CommandSetting[] {
  const mode = numberIn(context.ratings?.[RATING.outputMode]);
  const isSingle = mode === null || mode === SINGLE;
  return [
    ...OPTIONS.map(({ numbered, ...row }) =>
      optionSetting(
        {
          ...row,
          query: PIRI,
          ...(numbered && !isSingle ? { codes: [], readOnlyReason: PARALLEL } : {}),
        },
        context.ratings?.[row.at],
      ),
    ),
    ...currentSettings(context, isSingle),
    ...voltageSettings(context),
    ...FLAGS.map(([at, name, letter]) =>
      optionSetting(
        {
          name,
          at,
          query: FLAG,
          labels: SWITCH_LABELS,
          codes: [0, 1],
          command: (code) => `P${code === 1 ? 'E' : 'D'}${letter}`,
        },
        undefined,
      ),
    ),
  ];
}

function currentSettings(
  { chargeCurrents, gridChargeCurrents }: Pi18SettingContext,
  isSingle: boolean,
): readonly CommandSetting[] {
  const reason = isSingle ? 'the inverter does not list which values it takes' : PARALLEL;
  const choices = (amps: readonly number[]): readonly number[] =>
    isSingle ? amps.toSorted((a, b) => a - b) : [];
  const threeDigits = (amps: number): string => String(amps).padStart(3, '0');
  return [
    numberSetting(
      {
        name: 'Max charge current',
        unit: 'A',
        decimals: 0,
        query: PIRI,
        at: 15,
        remark: 'the values that the inverter lists (MCHGCR)',
      },
      choices(chargeCurrents),
      (amps) => `MCHGC0,${threeDigits(amps)}`,
      reason,
    ),
    numberSetting(
      {
        name: 'Max grid charge current',
        unit: 'A',
        decimals: 0,
        query: PIRI,
        at: 14,
        refusedWhen: 'some models refuse every value',
        remark: 'the values that the inverter lists (MUCHGCR)',
      },
      choices(gridChargeCurrents),
      (amps) => `MUCHGC0,${threeDigits(amps)}`,
      reason,
    ),
  ];
}

function voltageSettings({ ratings }: Pi18SettingContext): readonly CommandSetting[] {
  const is48V = numberIn(ratings?.[RATING.batteryVoltage]) === 480;
  return [
    numberSetting(
      {
        name: 'Shutdown battery voltage',
        unit: 'V',
        decimals: 1,
        scale: 0.1,
        query: PIRI,
        at: 10,
        remark: '48 V: 40 to 48',
      },
      is48V ? tenths(40, 48) : [],
      (volts) => `PSDV${String(Math.round(volts * 10)).padStart(3, '0')}`,
      'which values it takes is not known for this battery voltage',
    ),
    ...VOLTAGES.map(([at, name]) =>
      numberSetting(
        { name, unit: 'V', decimals: 1, scale: 0.1, query: PIRI, at },
        [],
        String,
        'its command sets two voltages at once',
      ),
    ),
  ];
}

/** More than any model lists. */
const MAX_AMPERES = 200;

/** The setting and value of an acknowledged command of any model; undefined when no setting has this command. */
export function settingFromCommand(command: string): readonly [Quantity, MetricValue] | undefined {
  const amperes = Array.from({ length: MAX_AMPERES }, (_, index) => index + 1);
  const ratings = Array.from({ length: 25 }, (_, at) => (at === RATING.batteryVoltage ? '480' : '0'));
  return settingWithCommand(
    settingsOf({ ratings, chargeCurrents: amperes, gridChargeCurrents: amperes }),
    command,
  );
}
