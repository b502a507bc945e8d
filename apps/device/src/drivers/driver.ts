import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { ModbusBus } from '../bus/modbus-bus.ts';

/** Something with metrics behind a connection: one inverter or one battery. */
export interface Unit {
  readonly kind: 'inverters' | 'batteries';
  /** Model name for the cloud's site list, null when the hardware does not tell. */
  readonly model: string | null;
  /** Everything this unit can report or be set to, found out when it was opened. */
  readonly quantities: readonly Quantity[];
}

/** A unit's values of one poll, by quantity name. A quantity that was not read is absent. */
export type Reading = ReadonlyMap<string, MetricValue>;

/**
 * A piece of hardware that a driver recognised and can talk to.
 *
 * Signs are those of the whole project: power into the battery is positive, power from the grid is positive,
 * and an inverter's `Load power` is `PV power + Grid power - Battery power` in every reading.
 */
export interface Hardware {
  readonly units: readonly Unit[];

  /** Whether the last poll showed more than `units` tell of: what slept when it was opened is awake now. */
  readonly tellsMore?: boolean;

  /**
   * Reads everything once; the readings are in the order of `units`.
   *
   * @throws LinkDown when the hardware cannot be reached
   */
  poll(): Promise<readonly Reading[]>;

  /**
   * Writes one setting that the caller has validated against its rule, then reads it back.
   *
   * @param unit index into `units`
   * @param name the quantity's name
   * @returns the value as the hardware now reports it
   * @throws RejectedByHardware when the hardware refuses or keeps its old value
   * @throws LinkDown, WriteUnanswered as the bus does
   */
  write(unit: number, name: string, value: number | string): Promise<MetricValue>;
}

/** A protocol spoken by a family of inverters or batteries. */
export interface DriverFamily {
  /** The name used in configuration, such as `sunspec`. */
  readonly name: string;

  /**
   * Finds out what is there.
   *
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: ModbusBus, unitId: number): Promise<Hardware>;
}

export class NotRecognised extends Error {
  override readonly name = 'NotRecognised';
}

/** The hardware answered, and did not take the value; the message says so in plain words. */
export class RejectedByHardware extends Error {
  override readonly name = 'RejectedByHardware';
}
