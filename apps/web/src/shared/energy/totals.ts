/** Energy since the period began, in kWh, never negative. Null is unknown, undefined what the site does not have. */
export interface EnergyTotals {
  readonly solar: number | null | undefined;
  readonly load: number | null | undefined;
  readonly gridIn: number | null | undefined;
  readonly gridOut: number | null | undefined;
  readonly batteryIn: number | null | undefined;
  readonly batteryOut: number | null | undefined;
}

/**
 * The part of the house load that did not come from the grid, from 0 to 1. Null where something is unknown, or where
 * more came from the grid than the house took, as when a battery is charged at night.
 */
export function selfSufficiency({ load, gridIn }: EnergyTotals): number | null {
  return partLeft(load, gridIn);
}

/** The part of the solar energy that did not go to the grid; null where it is unknown. */
export function selfConsumption({ solar, gridOut }: EnergyTotals): number | null {
  return partLeft(solar, gridOut);
}

function partLeft(whole: number | null | undefined, gone: number | null | undefined): number | null {
  if (typeof whole !== 'number' || typeof gone !== 'number' || whole <= 0 || gone > whole) return null;
  return 1 - gone / whole;
}
