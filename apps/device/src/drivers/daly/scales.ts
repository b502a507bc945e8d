/** The count that stands for no current, in all protocols of Daly. */
export const CURRENT_ZERO = 30_000;

/** By the number of the state. */
export const CHARGE_STATES: readonly string[] = ['Idle', 'Charging', 'Discharging'];

const CELSIUS_ZERO = 40;
const NO_SENSOR = 255;

/** @returns null for a sensor that is not connected */
export function celsius(raw: number): number | null {
  return raw === NO_SENSOR ? null : raw - CELSIUS_ZERO;
}
