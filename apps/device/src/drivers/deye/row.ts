import type { Quantity } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';

/**
 * A register map: two of them, each with a variant whose powers or voltages are counted more coarsely.
 */
export type Profile = 'single-phase' | 'single-phase 16 kW' | 'three-phase LV' | 'three-phase HV';

export function isThreePhase(profile: Profile): boolean {
  return profile === 'three-phase LV' || profile === 'three-phase HV';
}

/** One quantity and the holding registers that it stands in. */
export type DeyeRegisterRow = RowBase & DeyeLayout;

interface RowBase {
  readonly quantity: Quantity;
  /** Zero-based addresses, the low word first. */
  readonly registers: readonly number[];
  /** Left out on inverters without it. */
  readonly needs?: Needs;
}

/** The inputs and phases that a row requires, as the inverter reports them. */
export interface Needs {
  /** PV inputs, at least. */
  readonly strings?: number;
  /** Phases of its output, exactly. */
  readonly phases?: number;
}

export type DeyeLayout =
  | DeyeNumberLayout
  | DeyeCodeLayout
  | DeyeFlagsLayout
  | DeyeSwitchLayout
  | DeyeTextLayout;

/**
 * - `u16`, `u32`: all ones mean that there is no value
 * - `s16`: every value is one
 * - `s32`: an `s16` whose high word newer firmware adds in a register of its own; see `wide` in `numbers.ts`
 * - `temperature`: 1000 is 0 °C, tenths; 0 and all ones mean that there is none
 */
export interface DeyeNumberLayout {
  readonly type: 'u16' | 's16' | 'u32' | 's32' | 'temperature';
  /** The value of one count in the quantity's unit; 1 when left out. */
  readonly scale?: number;
  /** The same on profiles that count differently. */
  readonly scales?: Readonly<Partial<Record<Profile, number>>>;
  /** The inverter counts in the direction opposite to ours. */
  readonly opposite?: true;
}

/** One of several labels. */
export interface DeyeCodeLayout {
  readonly type: 'code';
  readonly labels: CodeLabels;
  /** The bits that count; the register's others mean something else. */
  readonly mask?: number;
}

/** Any number of labels, one for each bit that is set; bit 0 is the lowest of the first register. */
export interface DeyeFlagsLayout {
  readonly type: 'flags';
  readonly labels: CodeLabels;
  readonly unnamed: (bit: number) => string;
  /** The text while no bit is set. */
  readonly none: string;
}

/** True while all bits of the mask are set; the register's others mean something else. */
export interface DeyeSwitchLayout {
  readonly type: 'switch';
  readonly mask: number;
}

/**
 * - `ascii`: two characters a register, the first one high
 * - `version`: high byte, dot, low byte
 * - `clock`: (year - 2000, month), (day, hour), (minute, second), a register each
 * - `hhmm`: hours times 100 plus minutes
 */
export interface DeyeTextLayout {
  readonly type: 'ascii' | 'version' | 'clock' | 'hhmm';
}
