import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';

/** One module of the stack, in the units in which its BMS counts. */
export interface Module {
  readonly cellsMv: readonly number[];
  readonly millivolts: number;
  readonly deciamps: number;
  readonly cellC: number;
  readonly remainingMah: number;
  readonly totalMah: number;
  readonly cycles: number;
  readonly stateOfChargePct: number;
}

export const CELLS = BATTERY.cells;
export const MODEL = 'US5000';
export const MANUFACTURER = 'Pylon';

/** How far each cell is from the mean, in mV; together nothing. */
const CELL_SPREAD_MV = [2, -1, 0, -2, 1, 0, 3, -3, 1, -1, 0, 2, -2, 0, -1, 1];

/** The plant's battery as a stack of so many modules in parallel, at this instant. */
export function modulesOf(plant: SimulatedPlant, count: number): readonly Module[] {
  plant.advance();
  const { reading, state } = plant;
  const meanMv = Math.round((1000 * reading.batteryV) / CELLS);
  const cellsMv = CELL_SPREAD_MV.map((off) => meanMv + off);
  const totalMah = (1000 * BATTERY.capacityAh) / count;
  return shares(Math.round(10 * reading.batteryA), count).map((deciamps) => ({
    cellsMv,
    millivolts: meanMv * CELLS,
    deciamps,
    cellC: state.cellC,
    remainingMah: Math.round((totalMah * reading.stateOfChargePct) / 100),
    totalMah,
    cycles: Math.floor(state.counters.dischargedWh / BATTERY.capacityWh),
    stateOfChargePct: reading.stateOfChargePct,
  }));
}

/** A different one for each module, of sixteen characters. */
export function serialNumber(module: number): string {
  return `HGPT00000000${String(module + 1).padStart(4, '0')}`;
}

/** Whole parts that add up to the whole. */
function shares(whole: number, count: number): readonly number[] {
  const upTo = (index: number) => Math.round((whole * index) / count);
  return Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index));
}
