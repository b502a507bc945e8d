/** Below this many watts no flow is shown: a meter at rest wavers by as much. */
const REST_BELOW_W = 10;

/** 1 for a positive power, -1 for a negative one, 0 at rest or unknown. */
type Direction = -1 | 0 | 1;

export function directionOf(powerW: number | null | undefined): Direction {
  if (powerW === null || powerW === undefined || Math.abs(powerW) < REST_BELOW_W) return 0;
  return powerW > 0 ? 1 : -1;
}

/** The power at which lines are as thick and fast as they get, in watts. */
const FULL_W = 8_000;

/** How large a flow looks, from 0 to 1: by its logarithm, so that 100 W and 5 kW are both seen to move. */
export function strengthOf(powerW: number): number {
  const size = Math.min(FULL_W, Math.max(REST_BELOW_W, Math.abs(powerW)));
  return Math.log(size / REST_BELOW_W) / Math.log(FULL_W / REST_BELOW_W);
}

/** By how many places, of 1 to 3, a dot moves on with every beat. */
export function placesPerTick(powerW: number): number {
  return Math.round(1 + 2 * strengthOf(powerW));
}

/** How thick a line is, in whole pixels. */
export function thicknessOf(powerW: number): number {
  return Math.round(2 + 4 * strengthOf(powerW));
}
