import type { ServiceFrame } from './service-reader.ts';

/** Which devices are read besides the GX itself, by their unit ids. */
export interface GxDevices {
  readonly vebus: number | undefined;
  readonly batteries: readonly number[];
  readonly solarChargers: readonly number[];
  readonly gridMeter: number | undefined;
}

/** What all services said in one poll; batteries and chargers in the order of their devices. */
export interface GxFrames {
  readonly system: ServiceFrame;
  readonly settings: ServiceFrame;
  readonly vebus: ServiceFrame;
  readonly grid: ServiceFrame;
  readonly batteries: readonly ServiceFrame[];
  readonly solarChargers: readonly ServiceFrame[];
}
