import type { PhasePowerName } from '@heliograph/device/victron-gx';
import type { MetricValue } from '@heliograph/metrics';
import { BATTERY } from '../physics/battery.ts';
import type { PlantReading, PlantState } from '../physics/plant.ts';

/** Values by the name of their quantity. */
export type Values = Readonly<Record<string, MetricValue>>;

/** The values of the simulated home's devices at one instant; a charger for each of its two roofs. */
export interface GxValues {
  readonly system: Values;
  readonly phases: Readonly<Record<PhasePowerName, readonly number[]>>;
  readonly vebus: Values;
  readonly battery: Values;
  readonly chargers: readonly [Values, Values];
  readonly grid: Values;
}

const WH_PER_KWH = 1000;
const NOTHING = [0, 0, 0] as const;

/** Above this a GX calls a battery charging, below its negative discharging. */
const IDLE_W = 30;
const BALANCED_CELLS = { below: 0.01, above: 0.01 } as const;

/**
 * The home as a GX shows it: solar chargers at the battery, three inverters that stand between the grid and all loads,
 * a meter at the grid and a battery with its own management. Phases add up to the home's whole watts.
 */
export function gxValues(reading: PlantReading, state: PlantState, serialNumber: string): GxValues {
  const { batteryA, batteryV, batteryW, gridPhasesW, hertz, phaseV, pvV, pvW, stateOfChargePct } = reading;
  const loads = inThree(reading.acW).map((acW, phase) => acW + (gridPhasesW[phase] ?? 0));
  const soc = Math.round(stateOfChargePct);
  const { counters } = state;
  const cell = batteryV / BATTERY.cells;
  return {
    system: {
      'Serial number': serialNumber,
      'Active input': 'Grid',
      'Battery voltage': batteryV,
      'Battery current': batteryA,
      'Battery power': batteryW,
      'Battery state of charge': soc,
      'Battery state': batteryW > IDLE_W ? 'Charging' : batteryW < -IDLE_W ? 'Discharging' : 'Idle',
      'DC couple PV power': pvW[0] + pvW[1],
    },
    phases: {
      grid: gridPhasesW,
      consumption: loads,
      loadOnOutput: loads,
      loadOnInput: NOTHING,
      generator: NOTHING,
      pvOnOutput: NOTHING,
      pvOnGrid: NOTHING,
      pvOnGenerator: NOTHING,
    },
    vebus: {
      'AC phases': 3,
      'Device mode': batteryW > 0 ? 'Bulk' : 'Inverting',
      Fault: 'OK',
      'Grid frequency': hertz,
      'AC output frequency': hertz,
      ...byPhase('Grid voltage', phaseV),
      ...byPhase('AC output voltage', phaseV),
      ...byPhase('AC input power', gridPhasesW),
      ...byPhase('AC output power', loads),
    },
    battery: {
      Voltage: batteryV,
      Current: batteryA,
      Power: batteryW,
      Temperature: state.cellC,
      'State of charge': soc,
      'State of health': 99,
      Capacity: BATTERY.capacityAh,
      'Cell voltage - Lowest': cell - BALANCED_CELLS.below,
      'Cell voltage - Highest': cell + BALANCED_CELLS.above,
    },
    chargers: [charger(pvW[0], pvV[0], counters.pvWh[0]), charger(pvW[1], pvV[1], counters.pvWh[1])],
    grid: {
      'Grid voltage': phaseV[0],
      'Total grid import': counters.importedWh / WH_PER_KWH,
      'Total grid export': counters.exportedWh / WH_PER_KWH,
    },
  };
}

/** @param producedWh of which the last digits stand for the day */
function charger(watts: number, volts: number, producedWh: number): Values {
  const DAY_WH = 20_000;
  return {
    'PV power 1': watts,
    'PV voltage 1': volts,
    'Day PV energy 1': (producedWh % DAY_WH) / WH_PER_KWH,
    'MPPT state 1': watts > 0 ? 'Bulk' : 'Off',
  };
}

/** Whole watts that add up. */
function inThree(watts: number): readonly number[] {
  const third = Math.floor(watts / 3);
  return [third, third, watts - 2 * third];
}

/** Also under the name without a number, which is the first phase's. */
function byPhase(name: string, values: readonly number[]): Values {
  return {
    [name]: values[0] ?? null,
    ...Object.fromEntries(values.map((value, index) => [`${name} ${index + 1}`, value])),
  };
}
