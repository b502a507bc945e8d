import { bindModel, encodeModel, modelById, readExactly } from '@heliograph/device/sunspec';
import type { MetricValue } from '@heliograph/metrics';
import { ModbusRefusal, type RegisterBank } from '../../modbus/index.ts';
import {
  DEFAULT_SETTINGS,
  type PlantSettings,
  SETTING_BOUNDS,
  type SettingName,
} from '../physics/settings.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { modelChain } from './model-chain.ts';
import type { SunSpecInstant } from './states.ts';

/** The address of the chain: the marker, then the first model. */
const BASE_ADDRESS = 40_000;
const UNIT_ID = 1;

const MARKER = [0x5375, 0x6e53];
const END = [0xffff, 0];
/** ID and length of a model. */
const HEADER_REGISTERS = 2;

/** The unit is not there, in the words of a gateway. */
const NO_SUCH_UNIT = 11;
/** A register that does not exist, or that is not for writing. */
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;

/** Requests closer together than this belong to one poll, and see one instant. */
const POLL_GAP_MS = 100;
/** However busy the clients are, what they read is not older than this. */
const OLDEST_INSTANT_MS = 2_000;

/** Accepted at zero only: this inverter knows no windows and no ramps, but energy managers write them along. */
const ALWAYS_ZERO = new Set(
  ['WinTms', 'RmpTms'].flatMap((end) => [`Conn_${end}`, `WMaxLimPct_${end}`, `InOutWRte_${end}`]),
);

/**
 * The plant as a SunSpec inverter: a bank of holding registers.
 *
 * All registers are replaced together, never one by one, and not while a client is in the middle of a poll:
 * a poll takes several requests, and powers of two instants do not add up.
 */
export class SunSpecRegisters implements RegisterBank {
  readonly #plant: SimulatedPlant;
  readonly #serialNumber: string;
  readonly #monotonic: () => number;
  readonly #settable: ReadonlyMap<number, Settable>;
  readonly #onWritten: (changes: Partial<PlantSettings>) => void;
  #registers: readonly number[];
  #takenAt: number;
  #lastRead = Number.NEGATIVE_INFINITY;

  /**
   * @param monotonic real milliseconds, whatever the plant's own speed
   * @param onWritten called with what a request changed, before it is answered
   */
  constructor(
    plant: SimulatedPlant,
    serialNumber: string,
    monotonic: () => number,
    onWritten: (changes: Partial<PlantSettings>) => void,
  ) {
    this.#plant = plant;
    this.#serialNumber = serialNumber;
    this.#monotonic = monotonic;
    this.#onWritten = onWritten;
    this.#settable = settableRegisters(this.#instant());
    this.#registers = encodeChain(this.#instant());
    this.#takenAt = monotonic();
  }

  readRange = (unitId: number, address: number, count: number): readonly number[] | undefined => {
    if (unitId !== UNIT_ID) throw new ModbusRefusal(NO_SUCH_UNIT);
    const now = this.#monotonic();
    if (now - this.#lastRead >= POLL_GAP_MS || now - this.#takenAt >= OLDEST_INSTANT_MS) this.#take(now);
    this.#lastRead = now;
    const from = address - BASE_ADDRESS;
    if (from < 0 || from + count > this.#registers.length) return undefined;
    return this.#registers.slice(from, from + count);
  };

  /** Takes all values of a request or none. */
  write = (unitId: number, address: number, values: readonly number[]): void => {
    if (unitId !== UNIT_ID) throw new ModbusRefusal(NO_SUCH_UNIT);
    const targets = values.map((raw, index) => ({ raw, register: this.#settable.get(address + index) }));
    if (targets.some(({ register }) => register === undefined)) throw new ModbusRefusal(ILLEGAL_ADDRESS);
    const changes: Partial<Record<SettingName, number>> = {};
    for (const { raw, register } of targets) {
      if (register === undefined) continue;
      const value = register.decode(raw);
      if (value === undefined) throw new ModbusRefusal(ILLEGAL_VALUE);
      if (register.setting !== undefined) changes[register.setting] = value;
    }
    this.#plant.apply(changes);
    this.#take(this.#monotonic());
    this.#onWritten(changes);
  };

  #take(now: number): void {
    this.#plant.advance();
    this.#registers = encodeChain(this.#instant());
    this.#takenAt = now;
  }

  #instant(): SunSpecInstant {
    const { reading, state, settings } = this.#plant;
    return { reading, state, settings, serialNumber: this.#serialNumber };
  }
}

/** A register that may be written. */
interface Settable {
  /** Absent: the value is accepted and means nothing. */
  readonly setting?: SettingName;
  /** The value in the setting's unit, undefined when it is not allowed. */
  decode(raw: number): number | undefined;
}

function encodeChain(instant: SunSpecInstant): readonly number[] {
  const models = modelChain(instant).flatMap(({ id, values, groups }) =>
    encodeModel(modelById(id), values, groups === undefined ? {} : { groups }),
  );
  return [...MARKER, ...models, ...END];
}

/** The registers of models 123 and 124 behind the settings. Each is one register long. */
function settableRegisters(instant: SunSpecInstant): ReadonlyMap<number, Settable> {
  const settable = new Map<number, Settable>();
  let address = BASE_ADDRESS + MARKER.length;
  for (const { id, values, groups } of modelChain(instant)) {
    const model = encodeModel(modelById(id), values, groups === undefined ? {} : { groups });
    const frame = new Map(model.map((content, index) => [address + index, content]));
    const { points } = bindModel({ id, address, length: model.length - HEADER_REGISTERS });
    for (const [name, field] of id === 123 || id === 124 ? points : []) {
      const [at = 0] = field.registers;
      const register = settableOf(name, (raw) => readExactly(field, new Map(frame).set(at, raw)) ?? null);
      if (register !== undefined) settable.set(at, register);
    }
    address += model.length;
  }
  return settable;
}

function settableOf(name: string, decode: (raw: number) => MetricValue): Settable | undefined {
  if (ALWAYS_ZERO.has(name)) return { decode: (raw) => (raw === 0 ? 0 : undefined) };
  if (!isSetting(name)) return undefined;
  const [low, high] = SETTING_BOUNDS[name];
  return {
    setting: name,
    decode: (raw) => {
      const value = decode(raw);
      return typeof value === 'number' && value >= low && value <= high ? value : undefined;
    },
  };
}

function isSetting(name: string): name is keyof PlantSettings {
  return name in DEFAULT_SETTINGS;
}
