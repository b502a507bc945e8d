import type { Values } from '@heliograph/device/sunspec';
import type { SunSpecInstant } from './instant.ts';
import { common, controls, inverter, modules, nameplate } from './inverter-values.ts';
import { meter } from './meter-values.ts';
import { battery, storage } from './storage-values.ts';

/** One model as it stands in the chain. */
export interface ModelImage {
  readonly id: number;
  readonly values: Values;
  readonly groups?: readonly Values[];
}

/**
 * The model chain of the inverter, in order. Model 160 and the meter are neighbours, so that one request can
 * hold PV, battery and grid.
 */
export function modelChain(instant: SunSpecInstant): readonly ModelImage[] {
  return [
    { id: 1, values: common(instant) },
    { id: 103, values: inverter(instant) },
    { id: 120, values: nameplate() },
    { id: 123, values: controls(instant) },
    { id: 124, values: storage(instant) },
    {
      id: 160,
      values: { DCA_SF: -2, DCV_SF: -1, DCW_SF: 0, DCWH_SF: 0, Evt: 0 },
      groups: modules(instant),
    },
    { id: 203, values: meter(instant) },
    { id: 802, values: battery(instant) },
  ];
}
