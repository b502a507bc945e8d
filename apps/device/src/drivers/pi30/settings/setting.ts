import type { MetricValue, Quantity } from '@heliograph/metrics';
import { numberIn, type Pi30Fields } from '../map/fields.ts';
import type { Query } from '../map/query.ts';
import { RATING } from '../map/ratings.ts';

/** What has to be known of an inverter to know what can be set. */
export interface Pi30SettingContext {
  /** The answer to `QPIRI` when the inverter was opened. */
  readonly ratings: Pi30Fields | undefined;
  /** What the inverter lists, in A; empty when it does not. */
  readonly chargeCurrents: readonly number[];
  readonly gridChargeCurrents: readonly number[];
  /** The inverter's number in its parallel system; undefined for one that stands alone. */
  readonly parallelNumber: number | undefined;
  /** Model 045 numbers the charger priorities in its own way, which one source alone tells. */
  readonly ownChargerNumbers: boolean;
}

/** One setting of one inverter. */
export interface Pi30Setting {
  readonly quantity: Quantity;
  /** Whose answer tells the value. */
  readonly query: Query;
  /** Where in it, for people. */
  readonly from: string;
  /** Undefined when the answer of this model does not have it. */
  readonly read: (fields: Pi30Fields) => MetricValue | undefined;
  /** What can be written, and with which command; empty for what is only shown. */
  readonly commands: ReadonlyMap<number | string, string>;
  /** When the inverter is known to refuse, to be added to its bare refusal. */
  readonly refusedWhen?: string;
  readonly remark?: string;
}

/** The number of an inverter inside a command: 0 for one that stands alone. */
export function numberOf({ parallelNumber }: Pi30SettingContext): number {
  return parallelNumber ?? 0;
}

/** Nominal battery voltage, which picks the lists of voltages; undefined when it is none that is known. */
export function batteryVolts({ ratings }: Pi30SettingContext): 12 | 24 | 48 | undefined {
  const volts = numberIn(ratings?.[RATING.batteryVoltage]);
  return volts === 12 || volts === 24 || volts === 48 ? volts : undefined;
}
