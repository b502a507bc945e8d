/** Added to tenths of a kelvin for tenths of a degree Celsius. */
export const ZERO_CELSIUS = -2731;
/**
 * @param zero what is added to the tenths of a kelvin; some makers round the zero of the Celsius scale to 273.0 K
 * @returns null for absolute zero, which only a missing sensor reports
 */
export function celsius(raw: number, zero = ZERO_CELSIUS): number | null {
  return raw === 0 ? null : (raw + zero) / 10;
}
