import { type MetricValue, type Quantity, quantities, type Unit } from '@heliograph/metrics';
import { type AnswerFields, labelIn, numberIn } from './fields.ts';
import { shownSetting } from './quantities.ts';
import type { Query } from './query.ts';

/** One setting of one inverter, each value of which is set by a command. */
export interface CommandSetting {
  readonly quantity: Quantity;
  /** The query of the value. */
  readonly query: Query;
  /** The place in the answer, for the README. */
  readonly from: string;
  /** Undefined when the answer of this model does not have it. */
  readonly read: (fields: AnswerFields) => MetricValue | undefined;
  /** Commands by the values that can be written; empty for a read-only setting. */
  readonly commands: ReadonlyMap<number | string, string>;
  /** The known reason of refusals, which the inverter does not report. */
  readonly refusedWhen?: string;
  readonly remark?: string;
}

/** A setting that is one field of an answer. */
interface FieldSetting {
  readonly name: string;
  readonly query: Query;
  /** The field, counted from 0. */
  readonly at: number;
  readonly refusedWhen?: string;
  readonly remark?: string;
}

export interface NumberSetting extends FieldSetting {
  readonly unit: Unit;
  readonly decimals: 0 | 1;
  /** The field holds so many of the unit; 0.1 for tenths. */
  readonly scale?: 1 | 0.1;
}

/**
 * @param choices every value that the inverter accepts, lowest first
 * @param readOnlyReason why there is none
 */
export function numberSetting(
  { name, unit, decimals, scale = 1, ...field }: NumberSetting,
  choices: readonly number[],
  command: (value: number) => string,
  readOnlyReason: string,
): CommandSetting {
  const quantity: Quantity =
    choices.length === 0
      ? shownSetting(name, unit, readOnlyReason, decimals)
      : { name, group: 'Settings', unit, decimals, setting: ruleOf(choices, decimals) };
  return {
    ...placeOf(field),
    quantity,
    read: (fields) => (field.at < fields.length ? scaled(numberIn(fields[field.at]), scale) : undefined),
    commands: new Map(choices.map((choice) => [choice, command(choice)])),
  };
}

export interface OptionSetting extends FieldSetting {
  /** Labels by code. */
  readonly labels: Readonly<Record<string, string>>;
  /** The codes that are known to be accepted; none of a setting that is only shown. */
  readonly codes: readonly number[];
  readonly command: (code: number) => string;
  /** Other texts for an option, which clients of such services send. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Why there are no codes. */
  readonly readOnlyReason?: string;
}

/** @param current the field when the inverter was opened */
export function optionSetting(row: OptionSetting, current: string | undefined): CommandSetting {
  const { name, labels, codes, command, synonyms, readOnlyReason, ...field } = row;
  const commands = new Map(codes.map((code) => [labels[code] ?? '', command(code)]));
  // A value that was set on the inverter's own screen is an option, too, although it cannot be written.
  const present = labelIn(current, labels);
  const options = [...new Set([...commands.keys(), ...(present === null ? [] : [present])])];
  return {
    ...placeOf(field),
    quantity:
      readOnlyReason === undefined
        ? {
            ...quantities.selectSetting(name, options),
            setting: { kind: 'select', options, ...(synonyms === undefined ? {} : { synonyms }) },
          }
        : shownSetting(name, '', readOnlyReason),
    read: (fields) => (field.at < fields.length ? labelIn(fields[field.at], labels) : undefined),
    commands,
  };
}

type Place = Pick<CommandSetting, 'query' | 'from' | 'refusedWhen' | 'remark'>;

function placeOf({ query, at, refusedWhen, remark }: Omit<FieldSetting, 'name'>): Place {
  return {
    query,
    from: `${query.command} field ${at}`,
    ...(refusedWhen === undefined ? {} : { refusedWhen }),
    ...(remark === undefined ? {} : { remark }),
  };
}

function scaled(value: number | null, scale: 1 | 0.1): number | null {
  return value === null || scale === 1 ? value : value / 10;
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

/** Every tenth, both ends included. */
export function tenths(from: number, to: number): readonly number[] {
  const first = Math.round(from * 10);
  return Array.from({ length: Math.round(to * 10) - first + 1 }, (_, index) => (first + index) / 10);
}

/** The setting and the value that a command sets; undefined when no setting has it. */
export function settingWithCommand(
  settings: readonly CommandSetting[],
  command: string,
): readonly [Quantity, MetricValue] | undefined {
  for (const { quantity, commands } of settings) {
    for (const [value, candidate] of commands) {
      if (candidate === command) return [withoutBounds(quantity), value];
    }
  }
  return undefined;
}

/** Bounds of a number depend on the model, which a command does not identify. */
function withoutBounds({ setting, ...quantity }: Quantity): Quantity {
  return setting?.kind === 'select' ? { ...quantity, setting } : quantity;
}
