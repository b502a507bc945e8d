/**
 * Readings are kept as whole numbers of their last digit: 51.2 V with one decimal is 512. Beyond this the sum of
 * an hour of readings would be no safe integer any more.
 */
const LARGEST = 2 ** 40;

/** Ten to the number of decimals: what a value is multiplied by. */
export function factorOf(decimals: number): number {
  return 10 ** decimals;
}

/** Whether a value can be kept at all; no quantity of a home is beyond this. */
export function isKeepable(value: number, decimals: number): boolean {
  return Math.abs(value) * factorOf(decimals) < LARGEST;
}
