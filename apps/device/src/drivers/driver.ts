import type { Clock } from '@heliograph/kit';
import type { MeterRole, MetricValue, Quantity, UnitKind } from '@heliograph/metrics';
import type { TObject } from 'typebox';
import type { SerialLine, Transport } from '../bus/address.ts';
import type { ByteBus } from '../bus/byte-bus.ts';
import type { JsonBus } from '../bus/json/json-bus.ts';
import { type ModbusBus, ModbusException } from '../bus/modbus/modbus-bus.ts';
import type { DescribedUnit } from './described-unit.ts';
import type { Recording } from './recording.ts';
import type { ReadBackTime } from './write-verified.ts';

/** One inverter, battery, meter, charger or generator behind a connection, with its metrics. */
export interface Unit {
  readonly kind: UnitKind;
  /** Model name for the cloud's site list, null when the hardware does not report one. */
  readonly model: string | null;
  /** Every quantity that this unit reports or can be set to, determined when it is opened. */
  readonly quantities: readonly Quantity[];
  /** Why this unit's settings cannot be written, in plain words, such as for the slave of a parallel system. */
  readonly settingsRefusal?: string;
}

/**
 * A unit's values of one poll, by quantity name. A quantity that was not read is absent; one that the hardware
 * reports as missing or unknown is null.
 */
export type Reading = ReadonlyMap<string, MetricValue>;

/**
 * A piece of hardware that a driver recognised and can talk to.
 *
 * Signs are those of the whole project: power into the battery is positive, power from the grid is positive,
 * and an inverter's `Load power` is `PV power + Grid power - Battery power` in every reading, plus `Generator power` where
 * it reports that: such a generator is not part of its grid.
 */
export interface Hardware {
  readonly units: readonly Unit[];

  /** Whether the last poll showed more than `units` list, such as a battery that was asleep when it was opened. */
  readonly needsReopen?: boolean;

  /** Whether the last poll showed less than `units` list, and opening it again would leave that out. */
  readonly hasShrunk?: boolean;

  /**
   * Whether the last poll showed that a unit is no longer there, such as a battery that was taken off: its values are
   * unknown, and no total counts it. The method is absent where units cannot go alone.
   *
   * @param unit index into `units`
   */
  isGone?(unit: number): boolean;

  /**
   * Reads everything once; the readings are in the order of `units`.
   *
   * @throws LinkDown when the hardware cannot be reached
   */
  poll(): Promise<readonly Reading[]>;

  /**
   * The values of the last poll that the family knows to be impossible, which the reading has as unknown; the method is
   * absent where a family knows none.
   *
   * @param unit index into `units`
   */
  withheldIn?(unit: number): readonly Withheld[];

  /**
   * When a value of the last readings was read, in monotonic milliseconds of the clock it was opened with; undefined
   * for values that the poll itself read; the method is absent where polls read everything. Slow hardware is read in
   * turns: a value between its turns is repeated in every poll with its old time. Powers are read in every poll.
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
   * @param signal aborts when the caller no longer waits: a request that was not sent by then is never sent
   * @param onSend called right before the first byte of the write leaves; not for a value in force already
   * @returns the value as the hardware now reports it
   * @throws RejectedByHardware when the hardware refuses or keeps its old value
   * @throws LinkDown, WriteUnanswered as the bus does
   */
  write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue>;
}

/** @param before the setting's value, as it was read for the write; null where that stands for none that is known */
export type OnSend = (before: MetricValue) => void;

/** The decoded values of one unit in a recording. */
export interface DecodedUnit {
  readonly kind: Unit['kind'];
  readonly model: string | null;
  /** The quantities that the recording holds values of, in the family's order. */
  readonly quantities: readonly Quantity[];
  readonly reading: Reading;
  /** The variant of the hardware that was assumed because the recording does not name it. */
  readonly assumedVariant?: string;
  /** Values that cannot be, which `reading` has as unknown. */
  readonly withheld?: readonly Withheld[];
}

/** The least and the most that a value can be, in its quantity's unit. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A value that the hardware reported and that cannot be. */
export interface Withheld {
  /** The quantity's name. */
  readonly name: string;
  /** In the quantity's unit. */
  readonly value: number;
}

/** A protocol spoken by a family of hardware. */
export type DriverFamily = ModbusFamily | ByteFamily | JsonFamily;

interface Family {
  /** The name used in configuration and the name of its folder, such as `sunspec`. */
  readonly name: string;
  /** The label for users, such as `Deye, SunSynk, Sol-Ark`. */
  readonly title: string;
  /** Set when the hardware has no unit (slave) id or address: a connection names none, and a line carries one of it. */
  readonly unaddressed?: true;
  /** The unit (slave) id or address that is meant where a connection names none; absent for unaddressed hardware. */
  readonly usualUnit?: number;
  /** The kinds that all its hardware has a unit of; absent where that differs. */
  readonly kinds?: readonly UnitKind[];
  /** Set when its hardware can be a meter: only then may a connection name a role. */
  readonly readsMeters?: true;
  /** Schema of a connection's `options` in the configuration; absent when the family has none. */
  readonly options?: TObject;
  /** The whole map, from which the tables of the folder's `README.md` are generated. */
  readonly describedUnits: readonly DescribedUnit[];
  /** Settings that a probe tries in addition to the usual ones. */
  readonly probe?: ProbeHints;
  /** Values of `protocol` in recordings of this family. */
  readonly protocols: readonly string[];

  /**
   * Decodes a user's recording of their hardware, complete or partial.
   *
   * @throws BadRecording when a frame must be rejected, or the recording is of something else
   */
  decode(recording: Recording): readonly DecodedUnit[];
}

/** Settings of a family's hardware that differ from the usual ones. */
export interface ProbeHints {
  /**
   * Set when it is looked for before others, the most common of these first: its hardware takes requests of other families
   * for the beginning of its own line, and does not understand the next one.
   */
  readonly first?: 1 | 2;
  /** Whether its hardware sends by itself, at least once a second: it is listened to after all others were asked. */
  readonly speaksByItself?: true;
  /** Units (slave ids, addresses) as makers ship it. */
  readonly units?: readonly number[];
  readonly baudRates?: readonly number[];
  /** Options of hardware at these speeds, such as the only port that has them. */
  readonly optionsAtBaudRates?: Target['options'];
  /**
   * Options that some hardware requires, and whose requests other hardware may take for a write: tried only in a probe
   * for this family alone.
   */
  readonly optionsAlone?: readonly Target['options'][];
}

/** Hardware that is read through Modbus registers. */
export interface ModbusFamily extends Family {
  readonly speaks: 'modbus';
  /** Set when a module of its maker takes Modbus RTU in datagrams. */
  readonly servesUdp?: true;
  /** The serial port's usual setting, for `modbus-rtu`. */
  readonly line: Required<SerialLine>;

  /**
   * Identifies the hardware and its units.
   *
   * @param clock for the times of `readAt`; the system's when left out
   * @param readBackTime of writes; the system's when left out
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: ModbusBus, target: Target, clock?: Clock, readBackTime?: ReadBackTime): Promise<Hardware>;
}

/** Hardware with frames of its own. */
export interface ByteFamily extends Family {
  readonly speaks: 'bytes';
  /** The serial port's usual setting, for `serial`. */
  readonly line: Required<SerialLine>;
  /** The transports that it can be connected through. */
  readonly transports: readonly Extract<Transport, 'serial' | 'serial-tcp' | 'hid'>[];
  /**
   * An answer that the bus has found, as it is on the wire, with the check bytes of its present content: for recordings,
   * in which serial numbers are masked. Absent where frames cannot be masked.
   */
  readonly checkedFrame?: (frame: Uint8Array) => Uint8Array;

  /**
   * Identifies the hardware and its units.
   *
   * @param clock for the times of `readAt`; the system's when left out
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: ByteBus, target: Target, clock?: Clock): Promise<Hardware>;
}

/** Hardware that answers HTTP requests with JSON. */
export interface JsonFamily extends Family {
  readonly speaks: 'json';

  /**
   * Identifies the hardware and its units.
   *
   * @throws NotRecognised when something answers that is not of this family
   * @throws LinkDown when nothing answers
   */
  open(bus: JsonBus, target: Target): Promise<Hardware>;
}

/** How a serial port of the family is usually set; undefined for hardware that is never on one. */
export function serialLineOf(family: DriverFamily): Required<SerialLine> | undefined {
  return family.speaks === 'json' ? undefined : family.line;
}

/** One piece of hardware on a bus. */
export interface Target {
  /** The unit (slave) id or address; the family's usual when the configuration does not say. */
  readonly unit: number | undefined;
  /** The part of the home that a meter there measures for the totals. */
  readonly role?: MeterRole | undefined;
  /** Validated against the family's `options`. */
  readonly options: Readonly<Record<string, unknown>>;
}

export class NotRecognised extends Error {
  override readonly name = 'NotRecognised';
}

/** Why a value is not in force in hardware that answered. */
export type RejectionReason =
  | 'unreadable'
  | 'not_held'
  | 'read_only'
  | 'refused'
  | 'unsupported'
  | 'value_refused'
  | 'failed'
  | 'hardware_busy'
  | 'no_permission'
  | 'kept';

/** By exception code of Modbus; 128 is Huawei's. */
const EXCEPTION_REASONS: Readonly<Record<number, RejectionReason>> = {
  1: 'unsupported',
  2: 'unsupported',
  3: 'value_refused',
  4: 'failed',
  6: 'hardware_busy',
  128: 'no_permission',
};

export interface RejectionOptions extends ErrorOptions {
  /** Left out: that of the exception which is the cause, or `refused`. */
  readonly reason?: RejectionReason;
}

/** The hardware answered, and did not accept the value; the message gives the reason in plain words. */
export class RejectedByHardware extends Error {
  override readonly name = 'RejectedByHardware';
  readonly #reason: RejectionReason;

  constructor(message: string, { reason, ...options }: RejectionOptions = {}) {
    super(message, options);
    this.#reason = reason ?? reasonOfCause(options.cause);
  }

  get reason(): RejectionReason {
    return this.#reason;
  }
}

function reasonOfCause(cause: unknown): RejectionReason {
  return (cause instanceof ModbusException ? EXCEPTION_REASONS[cause.code] : undefined) ?? 'refused';
}

/** The hardware did not refuse the value for certain and had its old one at the last read-back: it may follow later. */
export class KeptByHardware extends RejectedByHardware {}
