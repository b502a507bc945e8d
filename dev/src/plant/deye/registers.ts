import {
  type DeyeRegisterRow,
  encode,
  isThreePhase,
  measuredRows,
  ONE_BATTERY,
  type Profile,
} from '@heliograph/device/deye';
import { ModbusRefusal, type RegisterBank } from '../../modbus/index.ts';
import { BATTERY } from '../physics/battery.ts';
import type { PlantCounters } from '../physics/plant.ts';
import type { PlantSettings } from '../physics/settings.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { instantValues } from './instant-values.ts';
import { DeyeStoredSettings } from './stored-settings.ts';

const MINUTES_PER_DAY = 1440;
const BOTH_LIMITS = 3;

/**
 * The battery's commands that follow from the settings at a time of day.
 *
 * With the timer on, the slot that runs sets how far the battery may be emptied; where the slot and the inverter
 * both allow charging from the grid, the battery is filled up to there.
 *
 * @param minuteOfDay by the inverter's clock
 * @param stateOfChargePct how full the battery is
 */
function batteryOrders(
  held: DeyeStoredSettings,
  minuteOfDay: number,
  stateOfChargePct: number,
): Partial<PlantSettings> {
  const slot = held.value('Use timer') === true ? runningSlot(held, minuteOfDay) : undefined;
  const gridCharge = held.value('Grid charge') === 'Enabled';
  const reserve = Math.max(
    held.number('Stop battery discharge capacity'),
    slot === undefined ? 0 : held.number(`Capacity point ${slot}`),
  );
  const fills =
    gridCharge &&
    slot !== undefined &&
    held.value(`Grid charge point ${slot}`) === true &&
    stateOfChargePct < reserve;
  return {
    Conn: held.value('Inverter enabled') === 'Off' ? 0 : 1,
    StorCtl_Mod: BOTH_LIMITS,
    MinRsvPct: reserve,
    InWRte: rate(held.number('Max charge current'), BATTERY.maxChargeW),
    OutWRte: fills
      ? -rate(held.number('Max grid charge current'), BATTERY.maxChargeW)
      : rate(held.number('Max discharge current'), BATTERY.maxDischargeW),
    ChaGriSet: fills ? 1 : 0,
  };
}

/** The last slot, counted from 1, that began; before the first one of the day, yesterday's last. */
function runningSlot(held: DeyeStoredSettings, minuteOfDay: number): number {
  const begun = [1, 2, 3, 4, 5, 6].map((slot) => {
    const [hours = 0, minutes = 0] = String(held.value(`Time point ${slot}`))
      .split(':')
      .map(Number);
    const since = minuteOfDay - (hours * 60 + minutes);
    return { slot, since: since < 0 ? since + MINUTES_PER_DAY : since };
  });
  return begun.reduce((latest, one) => (one.since < latest.since ? one : latest)).slot;
}

/** Percent of the battery's own limit. */
function rate(amperes: number, limitW: number): number {
  return Math.min(100, (100 * amperes * BATTERY.nominalV) / limitW);
}

export interface DeyeOptions {
  readonly profile: Extract<Profile, 'single-phase' | 'three-phase LV'>;
  /** Ten characters. */
  readonly serialNumber: string;
  /** Real milliseconds, whatever the plant's own speed. */
  readonly monotonic: () => number;
  readonly unitId?: number;
  /** The place's clock minus UTC at an instant, milliseconds. */
  readonly utcOffsetMs?: (nowMs: number) => number;
}

const NO_SUCH_UNIT = 11;
const ILLEGAL_ADDRESS = 2;

/** Registers that there are; what is unused among them reads all ones. */
const LAST_REGISTER = { 'single-phase': 499, 'three-phase LV': 749 } as const;
const UNUSED = 0xffff;

/** Two PV inputs in the high byte, phases in the low one. */
const INPUTS = {
  'single-phase': { register: 18, value: 0x0201 },
  'three-phase LV': { register: 22, value: 0x0203 },
} as const;

const MODEL_NAMES = {
  'single-phase': 'Single-phase hybrid',
  'three-phase LV': 'Three-phase LV hybrid',
} as const;

/** Requests closer together than this belong to one poll, and see one instant. */
const POLL_GAP_MS = 100;
/** However busy the clients are, what they read is not older than this. */
const OLDEST_INSTANT_MS = 2_000;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The plant as a Deye hybrid inverter: a bank of holding registers. */
export class DeyeRegisters implements RegisterBank {
  readonly #plant: SimulatedPlant;
  readonly #options: DeyeOptions;
  readonly #measured: readonly DeyeRegisterRow[];
  readonly #stored: DeyeStoredSettings;
  #registers: ReadonlyMap<number, number> = new Map();
  #day = Number.NaN;
  #dayBegan: PlantCounters;
  #takenAt = Number.NEGATIVE_INFINITY;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(plant: SimulatedPlant, options: DeyeOptions) {
    this.#plant = plant;
    this.#options = options;
    this.#stored = new DeyeStoredSettings(options.profile);
    this.#dayBegan = plant.state.counters;
    const three = isThreePhase(options.profile);
    this.#measured = [...measuredRows(options.profile), ...(three ? ONE_BATTERY : [])];
  }

  readRange = (unitId: number, address: number, count: number): readonly number[] | undefined => {
    const { profile, monotonic } = this.#options;
    this.#refuseOthers(unitId);
    if (address + count - 1 > LAST_REGISTER[profile]) return undefined;
    const now = monotonic();
    if (now - this.#lastRead >= POLL_GAP_MS || now - this.#takenAt >= OLDEST_INSTANT_MS) this.#take();
    this.#lastRead = now;
    return Array.from({ length: count }, (_, index) => this.#registers.get(address + index) ?? UNUSED);
  };

  /** Takes all values of a request or none. */
  write = (unitId: number, address: number, values: readonly number[]): void => {
    this.#refuseOthers(unitId);
    const addresses = values.map((_, index) => address + index);
    if (addresses.some((one) => !this.#stored.registers.has(one))) throw new ModbusRefusal(ILLEGAL_ADDRESS);
    for (const [index, value] of values.entries()) this.#stored.write(address + index, value);
    this.#take();
  };

  #refuseOthers(unitId: number): void {
    if (unitId !== (this.#options.unitId ?? 1)) throw new ModbusRefusal(NO_SUCH_UNIT);
  }

  #take(): void {
    const { profile, serialNumber, monotonic, utcOffsetMs = () => 0 } = this.#options;
    this.#plant.advance();
    const offsetMs = utcOffsetMs(this.#plant.reading.nowMs);
    const localMs = this.#plant.reading.nowMs + offsetMs;
    const minuteOfDay = Math.floor((localMs % DAY_MS) / MINUTE_MS);
    this.#order(batteryOrders(this.#stored, minuteOfDay, this.#plant.reading.stateOfChargePct));
    const { reading, state } = this.#plant;
    this.#beginDay(Math.floor(localMs / DAY_MS), state.counters);
    const values = instantValues({
      reading,
      state,
      dayBegan: this.#dayBegan,
      utcOffsetMs: offsetMs,
      serialNumber,
      modelName: MODEL_NAMES[profile],
    });
    const registers = new Map(this.#stored.registers);
    for (const row of this.#measured) {
      const encoded = row.type === 'flags' ? row.registers.map(() => 0) : undefined;
      const value = values[row.quantity.name];
      if (value === undefined && encoded === undefined) continue;
      const raw = encoded ?? encode(row, value ?? null);
      for (const [index, register] of row.registers.entries()) registers.set(register, raw[index] ?? 0);
    }
    registers.set(INPUTS[profile].register, INPUTS[profile].value);
    this.#registers = registers;
    this.#takenAt = monotonic();
  }

  /** Applies only changed settings, because the plant's time-outs count from the last change. */
  #order(orders: ReturnType<typeof batteryOrders>): void {
    const { settings } = this.#plant;
    const isApplied = Object.entries(orders).every(
      ([name, value]) => settings[name as keyof typeof settings] === value,
    );
    if (!isApplied) this.#plant.apply(orders);
  }

  #beginDay(day: number, counters: PlantCounters): void {
    if (!Number.isNaN(this.#day) && day !== this.#day) this.#dayBegan = counters;
    this.#day = day;
  }
}
