import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';

/** One value and the registers that it stands in. */
export type RegisterField = FieldBase & RowLayout;

interface FieldBase {
  /** Addresses as `addressIn` makes them; of a number the low word first. */
  readonly registers: readonly number[];
  /** The quantity that it is a value of. */
  readonly quantity?: Quantity;
}

/** A value that is a quantity. */
export type RegisterRow = RegisterField & {
  readonly quantity: Quantity;
  /** Set where the value has no effect before another register is 1. */
  readonly enabledBy?: EnableRegister;
};

export interface EnableRegister {
  readonly register: number;
  /** The value in force while the register is 0. */
  readonly otherwise: MetricValue;
}

export type RowLayout = NumberLayout | CodeLayout | FlagsLayout | AlarmsLayout | SwitchLayout | TextLayout;

/**
 * - `u16`, `u32`, `u64`: all ones mean that there is no value, unless `noValue` has others
 * - `s16`, `s32`: every count is a value, unless `noValue` names some
 * - `f32`: IEEE 754; what is no number is no value
 * - `s16 extended`: an `s16` whose high word newer firmware adds in a register of its own
 */
export interface NumberLayout {
  readonly type: 'u16' | 's16' | 'u32' | 's32' | 'u64' | 'f32' | 's16 extended';
  /** The value of one count in the quantity's unit; 1 when left out. */
  readonly scale?: number;
  /** A register by which the value is scaled, too. */
  readonly scaleBy?: ScaleRegister;
  /** The count that stands for zero; 0 when left out. */
  readonly zero?: number;
  /** Contents, without sign, that mean "no value". Of these 0 is written all the same, for it may be one. */
  readonly noValue?: readonly number[];
  /** The neighbouring bits that hold the number; the register's others mean something else. */
  readonly mask?: number;
  /** The hardware counts in the direction opposite to ours. */
  readonly opposite?: true;
  /**
   * A negative count is -1 in any scale, and means that there is no limit. Hardware that scales its own -1 shows 0
   * instead, so with a scale above 1 a 0 is unknown.
   */
  readonly unlimited?: true;
  /** A value between two counts is refused; it is rounded when left out. */
  readonly wholeCounts?: true;
}

export interface ScaleRegister {
  readonly register: number;
  /** The factor by the register's content, or powers of ten: the content is the exponent, -10 to 10. */
  readonly scales: Readonly<Record<number, number>> | 'powers of ten';
}

/** One of several labels; of several codes with the same label the lowest is the one that is written. */
export interface CodeLayout {
  readonly type: 'code';
  /** By the masked register, unshifted. */
  readonly labels: CodeLabels;
  /** The bits that count; the register's others mean something else. */
  readonly mask?: number;
  /** Codes that mean "no value". */
  readonly noValue?: readonly number[];
}

/** Any number of labels, one for each bit that is set; bit 0 is the lowest of the first register. */
export interface FlagsLayout {
  readonly type: 'flags';
  readonly labels: CodeLabels;
  readonly unnamed: (bit: number) => string;
  /** The text while no bit is set. */
  readonly none: string;
}

/** One register for each condition: 0, a warning (1), or an alarm. */
export interface AlarmsLayout {
  readonly type: 'alarms';
  /** In the order of the registers. */
  readonly labels: readonly string[];
}

/** True while all bits of the mask are set; the register's others mean something else. */
export interface SwitchLayout {
  readonly type: 'switch';
  readonly mask: number;
}

/**
 * - `ascii`: two characters a register, the first one high
 * - `characters`: the same with bytes of zero that mean nothing, such as one character a register
 * - `utf8`: the same as UTF-8, which ends at the first byte of zero
 * - `version`: high byte, dot, low byte
 * - `clock`: (year - 2000, month), (day, hour), (minute, second), a register each
 * - `hhmm`: hours times 100 plus minutes
 * - `hours and minutes`: hours in the high byte, minutes in the low one
 * - `minutes and hours`: the reverse
 */
export interface TextLayout {
  readonly type:
    | 'ascii'
    | 'characters'
    | 'utf8'
    | 'version'
    | 'clock'
    | 'hhmm'
    | 'hours and minutes'
    | 'minutes and hours';
}

const NUMBER_TYPES: readonly string[] = ['u16', 's16', 'u32', 's32', 'u64', 'f32', 's16 extended'];

export function isNumber<Field extends RegisterField>(field: Field): field is Extract<Field, NumberLayout> {
  return NUMBER_TYPES.includes(field.type);
}
