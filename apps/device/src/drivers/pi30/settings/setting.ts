import { type AnswerFields, numberIn } from '../../voltronic/fields.ts';
import { RATING } from '../map/ratings.ts';

/** The properties of an inverter that determine its settings. */
export interface Pi30SettingContext {
  /** The answer to `QPIRI` when the inverter was opened. */
  readonly ratings: AnswerFields | undefined;
  /** Currents that the inverter lists, in A; empty when it lists none. */
  readonly chargeCurrents: readonly number[];
  readonly gridChargeCurrents: readonly number[];
  /** The inverter's number in its parallel system; undefined for a single inverter. */
  readonly parallelNumber: number | undefined;
  /** Model 045 has its own numbers of the charger priorities, which one source alone documents. */
  readonly ownChargerNumbers: boolean;
}

/** The number of an inverter inside a command: 0 for a single inverter. */
export function numberOf({ parallelNumber }: Pi30SettingContext): number {
  return parallelNumber ?? 0;
}

/** Nominal battery voltage, which picks the lists of voltages; undefined when it is none that is known. */
export function batteryVolts({ ratings }: Pi30SettingContext): 12 | 24 | 48 | undefined {
  const volts = numberIn(ratings?.[RATING.batteryVoltage]);
  return volts === 12 || volts === 24 || volts === 48 ? volts : undefined;
}
