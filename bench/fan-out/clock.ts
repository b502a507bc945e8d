/** The period of the clock, in milliseconds: it fits a signed register and is far longer than any delay. */
const ROUND_MS = 30_000;

/** The topic whose value is the time at which it was read. */
export const CLOCK_TOPIC = 'inverter_1/ac_output_power';

/** Milliseconds of the clock, which all processes of a machine share. */
export function clockNow(): number {
  return Math.floor(exactNow()) % ROUND_MS;
}

/** How long ago the clock showed this, in milliseconds with fractions. */
export function ageOf(clock: number): number {
  return (exactNow() - clock + ROUND_MS) % ROUND_MS;
}

function exactNow(): number {
  return performance.timeOrigin + performance.now();
}
