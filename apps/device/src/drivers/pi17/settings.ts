import type { MetricValue, Quantity } from '@heliograph/metrics';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import { SWITCH_LABELS } from '../voltronic/labels.ts';
import {
  type CommandSetting,
  numberSetting,
  optionSetting,
  settingWithCommand,
} from '../voltronic/setting.ts';
import { BATS, HECS, RANGE } from './queries.ts';

/** The properties of an inverter that determine its settings. */
export interface Pi17SettingContext {
  /** The answer to `MAR` when the inverter was opened. */
  readonly ranges: AnswerFields | undefined;
  readonly energyControl?: AnswerFields | undefined;
}

/** Permitted flows of energy, by their place in `HECS` and the letter of their command. */
const SWITCHES: readonly (readonly [at: number, name: string, letter: string])[] = [
  [1, 'Solar charge', 'A'],
  [2, 'Grid charge', 'B'],
  [3, 'Export to grid', 'C'],
  [4, 'Battery to load with PV', 'D'],
  [5, 'Battery to load without PV', 'E'],
  [6, 'Battery to grid with PV', 'F'],
  [7, 'Battery to grid without PV', 'G'],
];

const VOLTAGES: readonly (readonly [at: number, name: string])[] = [
  [1, 'Battery absorption charge voltage'],
  [2, 'Battery float charge voltage'],
  [6, 'Shutdown battery voltage'],
  [7, 'Battery voltage after shutdown'],
  [8, 'Hybrid shutdown battery voltage'],
  [9, 'Hybrid battery voltage after shutdown'],
];

/** Everything that an inverter can be set to, and what it only shows of its settings. */
export function settingsOf({ ranges, energyControl }: Pi17SettingContext): readonly CommandSetting[] {
  return [
    optionSetting(
      {
        name: 'Solar power priority',
        query: HECS,
        at: 0,
        labels: { 0: 'Battery/Load/Grid', 1: 'Load/Battery/Grid', 2: 'Load/Grid/Battery' },
        codes: [0, 1, 2],
        command: (code) => `SEP0${code}`,
      },
      energyControl?.[0],
    ),
    ...SWITCHES.map(([at, name, letter]) =>
      optionSetting(
        {
          name,
          query: HECS,
          at,
          labels: SWITCH_LABELS,
          codes: [0, 1],
          command: (code) => `ED${letter}${code}`,
        },
        undefined,
      ),
    ),
    ...currentSettings(currentsIn(ranges)),
    ...VOLTAGES.map(([at, name]) =>
      numberSetting(
        { name, unit: 'V', decimals: 1, scale: 0.1, query: BATS, at },
        [],
        String,
        'its command sets several voltages at once',
      ),
    ),
  ];
}

/** Whole amperes of the range that the inverter reports; none when it reports none. */
function currentsIn(ranges: AnswerFields | undefined): readonly number[] {
  const least = numberIn(ranges?.[RANGE.leastChargeCurrent]);
  const most = numberIn(ranges?.[RANGE.mostChargeCurrent]);
  if (least === null || most === null) return [];
  const first = Math.max(1, Math.ceil(least / 10));
  return Array.from({ length: Math.max(0, Math.floor(most / 10) - first + 1) }, (_, index) => first + index);
}

function currentSettings(choices: readonly number[]): readonly CommandSetting[] {
  const notKnown = 'the inverter does not report which values it takes (MAR)';
  const remark = 'the range that the inverter reports (MAR)';
  const tenths = (amps: number): string => String(amps * 10).padStart(4, '0');
  const amperes = { unit: 'A', decimals: 1, query: BATS } as const;
  return [
    numberSetting(
      { ...amperes, name: 'Max charge current', scale: 0.1, at: 0, remark },
      choices,
      (amps) => `MCHGC${tenths(amps)}`,
      notKnown,
    ),
    numberSetting(
      { ...amperes, name: 'Max grid charge current', scale: 0.1, at: 16, remark },
      choices,
      (amps) => `MUCHGC${tenths(amps)}`,
      notKnown,
    ),
    numberSetting(
      { ...amperes, name: 'Max discharge current', at: 17, remark: 'in hybrid mode' },
      [],
      String,
      'sources disagree on which values it takes',
    ),
  ];
}

/** More than any model reports, in tenths of an ampere. */
const WIDEST_RANGE = Array.from({ length: 24 }, (_, at) => (at === RANGE.mostChargeCurrent ? '9990' : '0'));

/** The setting and value of an acknowledged command of any model; undefined when no setting has this command. */
export function settingFromCommand(command: string): readonly [Quantity, MetricValue] | undefined {
  return settingWithCommand(settingsOf({ ranges: WIDEST_RANGE }), command);
}
