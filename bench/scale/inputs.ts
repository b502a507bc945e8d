import type { Capacities } from './fleet.ts';

export const DEVICES = 1_000_000;
/** Each for 40,000 devices, so that a third of them may be away. */
export const PROXIES = 36;

/** As measured on one core each; `docs/scale.md` says by which benchmark. */
export const CAPACITIES: Capacities = {
  clouds: 8,
  cloudCallsPerS: 8 * 250,
  dialsPerProxyPerS: 500,
};
