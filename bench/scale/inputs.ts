import type { Capacities } from './fleet.ts';

export const DEVICES = 1_000_000;
/** Ten thousand devices each: memory would do for four times as many, but all must be able to come back at once. */
export const PROXIES = 100;

/** Capacity of one core each, measured as `docs/scale.md` describes. */
export const CAPACITIES: Capacities = {
  clouds: 16,
  callsPerCloudPerS: 1_000,
  refusalShare: 0.3,
  dialsPerProxyPerS: 200,
};
