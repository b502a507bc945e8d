import {
  encode,
  PHASE_POWERS,
  type PhasePowerName,
  type RegisterRow,
  SERVICE_ROWS,
  type Service,
} from '@heliograph/device/victron-gx';
import { ModbusRefusal, type RegisterBank } from '../../modbus/index.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { type GxUnits, gxBank, serviceRegisters } from './gx-bank.ts';
import { gxValues, type Values } from './instant-values.ts';
import { GxStoredSettings } from './stored-settings.ts';

/** Unit ids of the devices by their ports of a Cerbo: its own id, VE.Bus, CAN, VE.Direct 1 and 2, the meter. */
const UNIT = { gx: 100, vebus: 227, battery: 225, chargers: [226, 224], meter: 30 } as const;

const ILLEGAL_ADDRESS = 2;

/** Requests closer together than this belong to one poll, and see one instant. */
const POLL_GAP_MS = 100;
/** However busy the clients are, what they read is not older than this. */
const OLDEST_INSTANT_MS = 2_000;

export interface GxOptions {
  /** Twelve hexadecimal digits. */
  readonly serialNumber: string;
  /** Real milliseconds, whatever the plant's own speed. */
  readonly monotonic: () => number;
}

/** The plant as a GX with a VE.Bus system, two solar chargers, a battery and a grid meter behind it. */
export class GxRegisters implements RegisterBank {
  readonly readRange: RegisterBank['readRange'];
  readonly write: RegisterBank['write'];
  readonly #plant: SimulatedPlant;
  readonly #options: GxOptions;
  /** By unit id, because each charger has settings of its own. */
  readonly #stored = new Map<number, GxStoredSettings>();
  #units: GxUnits = new Map();
  #takenAt = Number.NEGATIVE_INFINITY;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(plant: SimulatedPlant, options: GxOptions) {
    this.#plant = plant;
    this.#options = options;
    const settings = new GxStoredSettings();
    for (const unitId of [UNIT.gx, UNIT.vebus]) this.#stored.set(unitId, settings);
    for (const unitId of UNIT.chargers) this.#stored.set(unitId, new GxStoredSettings());
    const bank = gxBank(
      () => this.#units,
      (unitId, address, values) => this.#take(unitId, address, values),
    );
    this.readRange = (...request) => {
      const now = options.monotonic();
      if (now - this.#lastRead >= POLL_GAP_MS || now - this.#takenAt >= OLDEST_INSTANT_MS) this.#refresh();
      this.#lastRead = now;
      return bank.readRange(...request);
    };
    this.write = bank.write;
    this.#refresh();
  }

  #take(unitId: number, address: number, values: readonly number[]): void {
    const [value = 0, ...more] = values;
    const taken = more.length === 0 && this.#stored.get(unitId)?.write(address, value);
    if (!taken) throw new ModbusRefusal(ILLEGAL_ADDRESS);
    this.#refresh();
  }

  #refresh(): void {
    this.#plant.advance();
    this.#order();
    const { reading, state } = this.#plant;
    const values = gxValues(reading, state, this.#options.serialNumber);
    const system = this.#registers('system', UNIT.gx, values.system);
    for (const [name, watts] of Object.entries(values.phases))
      putPhases(system, name as PhasePowerName, watts);
    this.#units = new Map([
      [UNIT.gx, new Map([...system, ...this.#registers('settings', UNIT.gx, {})])],
      [UNIT.vebus, this.#registers('vebus', UNIT.vebus, values.vebus)],
      [UNIT.battery, this.#registers('battery', UNIT.battery, values.battery)],
      [UNIT.meter, this.#registers('grid', UNIT.meter, values.grid)],
      ...UNIT.chargers.map(
        (unitId, index) =>
          [unitId, this.#registers('solarcharger', unitId, values.chargers[index] ?? {})] as const,
      ),
    ]);
    this.#takenAt = this.#options.monotonic();
  }

  #registers(service: Service, unitId: number, values: Values): Map<number, number> {
    const registers = serviceRegisters(service);
    for (const row of SERVICE_ROWS[service]) put(registers, row, values[row.quantity.name]);
    for (const [register, raw] of this.#stored.get(unitId)?.registers ?? []) {
      if (registers.has(register)) registers.set(register, raw);
    }
    return registers;
  }

  /** Applies only changed settings, because the plant's time-outs count from the last change. */
  #order(): void {
    const orders = this.#stored.get(UNIT.gx)?.orders ?? {};
    const { settings } = this.#plant;
    const isApplied = Object.entries(orders).every(
      ([name, value]) => settings[name as keyof typeof settings] === value,
    );
    if (!isApplied) this.#plant.apply(orders);
  }
}

function put(registers: Map<number, number>, row: RegisterRow, value: Values[string] | undefined): void {
  if (value === undefined) return;
  const contents = encode(row, value);
  for (const [index, register] of row.registers.entries()) registers.set(register, contents[index] ?? 0);
}

function putPhases(registers: Map<number, number>, name: PhasePowerName, watts: readonly number[]): void {
  const { wide, narrow } = PHASE_POWERS[name];
  for (const [phase, value] of watts.entries()) {
    for (const row of [wide[phase], narrow[phase]]) {
      for (const [word, register] of (row?.registers ?? []).entries()) {
        registers.set(register, (value >> (16 * word)) & 0xffff);
      }
    }
  }
}
