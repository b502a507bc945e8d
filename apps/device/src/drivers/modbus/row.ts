import type { Quantity } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';

/** One quantity and the registers that it stands in. */
export type RegisterRow = RowBase & RowLayout;

interface RowBase {
  readonly quantity: Quantity;
  /** Addresses as `addressIn` makes them, the low word first. */
  readonly registers: readonly number[];
}

export type RowLayout = NumberLayout | CodeLayout | FlagsLayout | SwitchLayout | TextLayout;

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
  /** The count that stands for zero; 0 when left out. */
  readonly zero?: number;
  /** Contents, without sign, that mean "no value". */
  readonly noValue?: readonly number[];
  /** The neighbouring bits that hold the number; the register's others mean something else. */
  readonly mask?: number;
  /** The hardware counts in the direction opposite to ours. */
  readonly opposite?: true;
}

/** One of several labels. */
export interface CodeLayout {
  readonly type: 'code';
  /** By the masked register, unshifted. */
  readonly labels: CodeLabels;
  /** The bits that count; the register's others mean something else. */
  readonly mask?: number;
}

/** Any number of labels, one for each bit that is set; bit 0 is the lowest of the first register. */
export interface FlagsLayout {
  readonly type: 'flags';
  readonly labels: CodeLabels;
  readonly unnamed: (bit: number) => string;
  /** The text while no bit is set. */
  readonly none: string;
}

/** True while all bits of the mask are set; the register's others mean something else. */
export interface SwitchLayout {
  readonly type: 'switch';
  readonly mask: number;
}

/**
 * - `ascii`: two characters a register, the first one high
 * - `characters`: the same with bytes of zero that mean nothing, such as one character a register
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
    | 'version'
    | 'clock'
    | 'hhmm'
    | 'hours and minutes'
    | 'minutes and hours';
}

const NUMBER_TYPES: readonly string[] = ['u16', 's16', 'u32', 's32', 'u64', 'f32', 's16 extended'];

export function isNumber<Row extends RegisterRow>(row: Row): row is Extract<Row, NumberLayout> {
  return NUMBER_TYPES.includes(row.type);
}
