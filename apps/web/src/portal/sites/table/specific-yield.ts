/**
 * Energy of a day for each kWp of the modules, in kWh/kWp with two decimals.
 *
 * @returns undefined while energy or peak power is unknown
 */
export function specificYield(
  kilowattHours: number | null | undefined,
  peakPower: number | null,
): number | undefined {
  if (kilowattHours == null || peakPower === null) return undefined;
  return Math.round((kilowattHours / peakPower) * 100) / 100;
}
