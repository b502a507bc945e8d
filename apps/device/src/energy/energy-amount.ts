/**
 * An amount of energy in whole numbers, so that adding two readings a second for years loses nothing:
 * watt-hours, and what does not make a whole one yet in half watt-milliseconds.
 *
 * Half, because the area under a straight line between two readings is (p0 + p1) * dt / 2.
 */
export interface EnergyAmount {
  readonly wattHours: number;
  /** 0 to {@link HALF_WMS_PER_WH} - 1. */
  readonly rest: number;
}

export const HALF_WMS_PER_WH = 2 * 3600 * 1000;

export const NO_ENERGY: EnergyAmount = { wattHours: 0, rest: 0 };

/** @param halfWms half watt-milliseconds, a whole number of at least 0 */
export function addEnergy(amount: EnergyAmount, halfWms: number): EnergyAmount {
  const sum = amount.rest + halfWms;
  return {
    wattHours: amount.wattHours + Math.floor(sum / HALF_WMS_PER_WH),
    rest: sum % HALF_WMS_PER_WH,
  };
}

/** @param halfWms a whole number of at least 0; of more than there is nothing is left */
export function withoutEnergy({ wattHours, rest }: EnergyAmount, halfWms: number): EnergyAmount {
  const whole = Math.ceil(Math.max(0, halfWms - rest) / HALF_WMS_PER_WH);
  if (whole > wattHours) return NO_ENERGY;
  return { wattHours: wattHours - whole, rest: rest + whole * HALF_WMS_PER_WH - halfWms };
}

/** How much more the second amount is, in half watt-milliseconds. */
export function halfWmsBetween(from: EnergyAmount, to: EnergyAmount): number {
  return (to.wattHours - from.wattHours) * HALF_WMS_PER_WH + to.rest - from.rest;
}

export function sumOf(one: EnergyAmount, other: EnergyAmount): EnergyAmount {
  return addEnergy({ wattHours: one.wattHours + other.wattHours, rest: one.rest }, other.rest);
}

export function kiloWattHours(amount: EnergyAmount): number {
  return (amount.wattHours + amount.rest / HALF_WMS_PER_WH) / 1000;
}

/**
 * The energy that flowed one way between two readings (trapezoid rule), of which the last `countedMs` count.
 * The part is taken at the interval's mean power, so that the parts of an interval add up to the whole.
 *
 * @param fromW power that flows the counted way at the first reading, in whole watts of at least 0
 * @param toW the same at the second reading
 * @param intervalMs whole milliseconds between the readings, at least 1
 * @param countedMs 0 to `intervalMs`
 * @returns half watt-milliseconds, a whole number
 */
export function energyBetween(fromW: number, toW: number, intervalMs: number, countedMs: number): number {
  return Math.round((fromW + toW) * intervalMs * (countedMs / intervalMs));
}
