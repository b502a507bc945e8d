import { type Quantity, quantities } from '@heliograph/metrics';

/** The powers of the whole home that energy is counted of. */
export const POWERS = ['PV power', 'Load power', 'Grid power', 'Battery power'] as const;
export type Power = (typeof POWERS)[number];

/** One counter: which power it counts, and which of its directions. */
export interface Flow {
  readonly quantity: Quantity;
  readonly power: Power;
  /** 1 counts power above zero, -1 power below it; either way energy is never negative. */
  readonly direction: 1 | -1;
}

const flow = (name: string, power: Power, direction: Flow['direction']): Flow => ({
  quantity: quantities.periodEnergy(name),
  power,
  direction,
});

/** Into the battery and from the grid are positive. */
export const FLOWS: readonly Flow[] = [
  flow('PV energy', 'PV power', 1),
  flow('Load energy', 'Load power', 1),
  flow('Battery energy in', 'Battery power', 1),
  flow('Battery energy out', 'Battery power', -1),
  flow('Grid energy in', 'Grid power', 1),
  flow('Grid energy out', 'Grid power', -1),
];
