import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';

/** The measurements of a BMS at the plant's battery, at one instant. */
export interface Pack {
  readonly cellsMv: readonly number[];
  readonly volts: number;
  /** Positive into the battery. */
  readonly amps: number;
  readonly cellC: number;
  readonly percent: number;
  readonly cycles: number;
  readonly runSeconds: number;
}

/** How far each cell is from the mean, in mV; together nothing. */
const CELL_SPREAD_MV = [1, -2, 0, 3, -1, 0, 2, -3, 0, 1, -1, 2, 0, -2, 1, -1];
const COMMISSIONED_MS = Date.UTC(2024, 0, 1);

export function packOf(plant: SimulatedPlant): Pack {
  plant.advance();
  const { reading, state } = plant;
  const meanMv = Math.round((1000 * reading.batteryV) / BATTERY.cells);
  return {
    cellsMv: CELL_SPREAD_MV.map((off) => meanMv + off),
    volts: (meanMv * BATTERY.cells) / 1000,
    amps: reading.batteryA,
    cellC: state.cellC,
    percent: reading.stateOfChargePct,
    cycles: Math.floor(state.counters.dischargedWh / BATTERY.capacityWh),
    runSeconds: Math.max(0, Math.floor((reading.nowMs - COMMISSIONED_MS) / 1000)),
  };
}
