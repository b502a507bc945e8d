import type { Clock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { TObject } from 'typebox';
import type { SerialLine, Transport } from '../bus/address.ts';
import type { ByteBus } from '../bus/byte-bus.ts';
import type { ModbusBus } from '../bus/modbus-bus.ts';
import type { DescribedUnit } from './described-unit.ts';
import type { Recording } from './recording.ts';

/** Something with metrics behind a connection: one inverter or one battery. */
export interface Unit {
  readonly kind: 'inverters' | 'batteries';
  /** Model name for the cloud's site list, null when the hardware does not tell. */
  readonly model: string | null;
  /** Everything this unit can report or be set to, found out when it was opened. */
  readonly quantities: readonly Quantity[];
  /** Why this unit's settings cannot be written, in plain words, such as for the slave of a parallel system. */
  readonly settingsRefusal?: string;
}

/**
 * A unit's values of one poll, by quantity name. A quantity that was not read is absent, one that the hardware
 * says it does not have or know is null.
 */
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
  readonly needsReopen?: boolean;

  /**
   * Reads everything once; the readings are in the order of `units`.
   *
   * @throws LinkDown when the hardware cannot be reached
   */
  poll(): Promise<readonly Reading[]>;

  /**
   * When a value of the last readings was read, in monotonic milliseconds of the clock it was opened with; undefined
   * for what the poll itself read, and absent where that is everything. Slow hardware is read in turns: what waits
   * for its turn is told again in every poll, and is as old as this says. Powers never wait.
   *
   * @param unit index into `units`
   * @param name the quantity's name
   */
  readAt?(unit: number, name: string): number | undefined;

  /**
   * Writes one setting that the caller has validated against its rule, then reads it back.
   *
   * @param unit index into `units`
   * @param name the quantity's name
   * @param signal aborts when the caller no longer waits: what was not sent by then is never sent
   * @returns the value as the hardware now reports it
   * @throws RejectedByHardware when the hardware refuses or keeps its old value
   * @throws LinkDown, WriteUnanswered as the bus does
   */
  write(unit: number, name: string, value: number | string, signal?: AbortSignal): Promise<MetricValue>;
}

/** What a recording says about one unit. */
export interface DecodedUnit {
  readonly kind: Unit['kind'];
  readonly model: string | null;
  /** What the recording holds values of, in the family's order. */
  readonly quantities: readonly Quantity[];
  readonly reading: Reading;
}

/** A protocol spoken by a family of inverters or batteries. */
export type DriverFamily = ModbusFamily | ByteFamily;

interface Family {
  /** The name used in configuration and the name of its folder, such as `sunspec`. */
  readonly name: string;
  /** What people call it, such as `Deye, SunSynk, Sol-Ark`. */
  readonly title: string;
  /** Set when the hardware has no unit (slave) id or address: a connection names none, and a line carries one of it. */
  readonly unaddressed?: true;
  /** What a connection may say besides its address, as `options` in the configuration; nothing when left out. */
  readonly options?: TObject;
  /** The whole map, for people; the tables of the folder's `README.md` are made from it. */
  readonly describedUnits: readonly DescribedUnit[];
  /** Where a probe looks besides. */
  readonly probe?: ProbeHints;
  /** What `protocol` may say in a recording of this family. */
  readonly protocols: readonly string[];

  /**
   * Decodes what a user recorded of their hardware, however little it is.
   *
   * @throws BadRecording when a frame must be rejected, or the recording is of something else
   */
  decode(recording: Recording): readonly DecodedUnit[];
}

/** What hardware of a family may have instead of the usual. */
export interface ProbeHints {
  /** Units (slave ids, addresses) as makers ship it. */
  readonly units?: readonly number[];
  readonly baudRates?: readonly number[];
  /**
   * Options without which some of it does not answer, and with which it is asked in a way that other hardware may take
   * for a write: tried only where this family alone is looked for.
   */
  readonly optionsAlone?: readonly Target['options'][];
}

/** Spoken to through Modbus registers. */
export interface ModbusFamily extends Family {
  readonly speaks: 'modbus';
  /** The serial port's usual setting, for `modbus-rtu`. */
  readonly line: Required<SerialLine>;

  /**
   * Finds out what is there.
   *
   * @param clock by which the hardware tells when it was read; the system's when left out
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: ModbusBus, target: Target, clock?: Clock): Promise<Hardware>;
}

/** Spoken to in frames of its own. */
export interface ByteFamily extends Family {
  readonly speaks: 'bytes';
  /** The serial port's usual setting, for `serial`. */
  readonly line: Required<SerialLine>;
  /** What it can be connected through. */
  readonly transports: readonly Extract<Transport, 'serial' | 'serial-tcp' | 'hid'>[];

  /**
   * Finds out what is there.
   *
   * @param clock by which the hardware tells when it was read; the system's when left out
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: ByteBus, target: Target, clock?: Clock): Promise<Hardware>;
}

/** Which hardware on a bus is meant. */
export interface Target {
  /** The unit (slave) id or address; the family's usual when the configuration does not say. */
  readonly unit: number | undefined;
  /** Validated against the family's `options`. */
  readonly options: Readonly<Record<string, unknown>>;
}

export class NotRecognised extends Error {
  override readonly name = 'NotRecognised';
}

/** The hardware answered, and did not take the value; the message says so in plain words. */
export class RejectedByHardware extends Error {
  override readonly name = 'RejectedByHardware';
}
