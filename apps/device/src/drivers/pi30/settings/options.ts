import { BATTERY_TYPES, INPUT_RANGES, OUTPUT_MODES } from '../../voltronic/labels.ts';
import { type CommandSetting, type OptionSetting, optionSetting } from '../../voltronic/setting.ts';
import { CHARGER_PRIORITIES, QPIRI } from '../map/ratings.ts';
import { numberOf, type Pi30SettingContext } from './setting.ts';

interface OptionRow extends Omit<OptionSetting, 'query' | 'command'> {
  readonly command: (code: number, context: Pi30SettingContext) => string;
}

const twoDigits = (code: number): string => String(code).padStart(2, '0');

const OUTPUT_PRIORITY: OptionRow = {
  name: 'Output source priority',
  at: 16,
  labels: { 0: 'Utility first', 1: 'Solar first', 2: 'SBU' },
  codes: [0, 1, 2],
  command: (code) => `POP${twoDigits(code)}`,
  synonyms: { 'Solar/Battery/Utility': 'SBU' },
};

const CHARGER_PRIORITY: OptionRow = {
  name: 'Charger source priority',
  at: 17,
  labels: CHARGER_PRIORITIES,
  codes: [0, 1, 2, 3],
  command: (code, { parallelNumber }) =>
    parallelNumber === undefined ? `PCP${twoDigits(code)}` : `PPCP${parallelNumber}${twoDigits(code)}`,
  synonyms: { 'Solar and utility simultaneously': 'Solar and utility' },
  refusedWhen: 'not every model offers every option',
};

const OPTIONS: readonly OptionRow[] = [
  {
    name: 'Battery type',
    at: 12,
    labels: BATTERY_TYPES,
    codes: [0, 1, 2],
    command: (code) => `PBT${twoDigits(code)}`,
    remark: 'others than AGM, Flooded and User are only shown, and their numbers are not confirmed',
  },
  {
    name: 'Input voltage range',
    at: 15,
    labels: INPUT_RANGES,
    codes: [0, 1],
    command: (code) => `PGR${twoDigits(code)}`,
  },
  {
    name: 'Output frequency',
    at: 3,
    labels: { 50: '50 Hz', 60: '60 Hz' },
    codes: [50, 60],
    command: (code) => `F${code}`,
    refusedWhen: 'most models take it in standby alone',
  },
  {
    name: 'Output mode',
    at: 21,
    labels: OUTPUT_MODES,
    codes: [0, 1, 2, 3, 4],
    command: (code, context) => `POPM${numberOf(context)}${code}`,
    refusedWhen: 'it is taken in standby alone',
    remark: 'modes of two phases are only shown',
  },
  {
    name: 'PV OK condition',
    at: 23,
    labels: { 0: 'Any unit', 1: 'All units' },
    codes: [0, 1],
    command: (code) => `PPVOKC${code}`,
  },
  {
    name: 'Solar power balance',
    at: 24,
    labels: { 0: 'Disabled', 1: 'Enabled' },
    codes: [0, 1],
    command: (code) => `PSPB${code}`,
    remark: 'Enabled: PV gives charge power and load; Disabled: charge power alone',
  },
];

export function optionSettings(context: Pi30SettingContext): readonly CommandSetting[] {
  const charger = context.ownChargerNumbers ? [] : [CHARGER_PRIORITY];
  return [OUTPUT_PRIORITY, ...charger, ...OPTIONS].map(({ command, ...row }) =>
    optionSetting(
      { ...row, query: QPIRI, command: (code) => command(code, context) },
      context.ratings?.[row.at],
    ),
  );
}
