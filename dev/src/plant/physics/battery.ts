/** A low-voltage LFP pack of 16 cells in series: 51.2 V, 200 Ah. */
export const BATTERY = {
  capacityWh: 10_240,
  capacityAh: 200,
  nominalV: 51.2,
  cells: 16,
  maxChargeW: 5_000,
  maxDischargeW: 5_000,
  resistanceOhm: 0.008,
  /** Of the energy that goes in, and again of the energy that comes out; 95 % for the round trip. */
  oneWayEfficiency: 0.975,
} as const;

/**
 * Resting voltage of one LFP cell by state of charge in percent. The flat middle and the steep ends are those
 * of commonly published LiFePO4 resting-voltage charts; the last steps are held below the charger's 3.5 V.
 */
const RESTING_CELL_V: readonly (readonly [percent: number, volts: number])[] = [
  [0, 2.8],
  [5, 3.0],
  [10, 3.1],
  [20, 3.2],
  [30, 3.23],
  [40, 3.26],
  [50, 3.27],
  [60, 3.28],
  [70, 3.3],
  [80, 3.32],
  [90, 3.34],
  [97, 3.38],
  [100, 3.46],
];

/** Above this state of charge a charger slows down, below the second a discharge does (percent points above empty). */
const CHARGE_TAPER_FROM = 92;
const DISCHARGE_TAPER_BELOW = 4;
/** The tail current at which the tapers end, as a part of the full power. */
const TAIL = 0.06;
/** Steps shorter than this are treated alike, so that a standing clock divides nothing by zero. */
const MIN_STEP_H = 1 / 3600;

const THERMAL_RESISTANCE_K_PER_W = 0.09;
const THERMAL_TIME_CONSTANT_H = 2.5;

/** State of charge in percent, 0 to 100. */
export function stateOfCharge(storedWh: number): number {
  return (100 * storedWh) / BATTERY.capacityWh;
}

/** The most that may be charged during the next `dtHours`, in whole watts at the terminals. */
export function chargeLimitW(storedWh: number, dtHours: number): number {
  const percent = stateOfCharge(storedWh);
  const taper = Math.min(1, TAIL + ((1 - TAIL) * (100 - percent)) / (100 - CHARGE_TAPER_FROM));
  const ambient = (BATTERY.capacityWh - storedWh) / BATTERY.oneWayEfficiency;
  return Math.max(0, Math.floor(Math.min(BATTERY.maxChargeW * taper, ambient / step(dtHours))));
}

/** The most that may be discharged during the next `dtHours` without going below a reserve, in whole watts. */
export function dischargeLimitW(storedWh: number, reservePercent: number, dtHours: number): number {
  const above = stateOfCharge(storedWh) - reservePercent;
  const taper = Math.min(1, TAIL + ((1 - TAIL) * above) / DISCHARGE_TAPER_BELOW);
  const energy = (above / 100) * BATTERY.capacityWh * BATTERY.oneWayEfficiency;
  return Math.max(0, Math.floor(Math.min(BATTERY.maxDischargeW * taper, energy / step(dtHours))));
}

/**
 * Energy inside after a stretch of constant power.
 *
 * @param powerW at the terminals, positive charging
 */
export function storedAfter(storedWh: number, powerW: number, dtHours: number): number {
  const efficiency = powerW > 0 ? BATTERY.oneWayEfficiency : 1 / BATTERY.oneWayEfficiency;
  return Math.min(BATTERY.capacityWh, Math.max(0, storedWh + powerW * efficiency * dtHours));
}

/** Terminal voltage and current, both from the power: V = resting + I * R and I = W / V. Positive charging. */
export function terminal(storedWh: number, powerW: number): { volts: number; amps: number } {
  const rest = BATTERY.cells * restingCellV(stateOfCharge(storedWh));
  const volts = (rest + Math.sqrt(rest * rest + 4 * BATTERY.resistanceOhm * powerW)) / 2;
  return { volts, amps: powerW / volts };
}

export function restingCellV(percent: number): number {
  let [lowPercent, lowV] = [0, 2.8];
  for (const [highPercent, highV] of RESTING_CELL_V) {
    if (percent <= highPercent) {
      const part = highPercent === lowPercent ? 0 : (percent - lowPercent) / (highPercent - lowPercent);
      return lowV + (highV - lowV) * part;
    }
    [lowPercent, lowV] = [highPercent, highV];
  }
  return lowV;
}

/** Cells warm by their losses and cool towards the ambient, with a time constant of hours. */
export function cellTemperatureAfter(
  cellC: number,
  ambientC: number,
  powerW: number,
  dtHours: number,
): number {
  const heatW = Math.abs(powerW) * (1 - BATTERY.oneWayEfficiency);
  const settled = ambientC + heatW * THERMAL_RESISTANCE_K_PER_W;
  return settled + (cellC - settled) * Math.exp(-dtHours / THERMAL_TIME_CONSTANT_H);
}

function step(dtHours: number): number {
  return Math.max(dtHours, MIN_STEP_H);
}
