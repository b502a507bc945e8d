import { type Quantity, quantities } from '@heliograph/metrics';
import type { GxRegisterRow } from './row.ts';

export const IMPORT = quantities.lifetimeEnergy('Total grid import');
export const EXPORT = quantities.lifetimeEnergy('Total grid export');

const kilowattHours = (quantity: Quantity, register: number): GxRegisterRow => ({
  quantity,
  register,
  type: 'u32',
  factor: 0.01,
});

const ofPhase = (quantity: Quantity, phase: number): Quantity => ({
  ...quantity,
  name: `${quantity.name} ${phase + 1}`,
});

/** A counter of the meter: of all phases, which newer firmware tells, and of each. */
export interface MeterEnergy {
  readonly quantity: Quantity;
  readonly total: GxRegisterRow;
  readonly phases: readonly GxRegisterRow[];
}

export const METER_ENERGIES: readonly MeterEnergy[] = [
  {
    quantity: IMPORT,
    total: kilowattHours(IMPORT, 2634),
    phases: [2622, 2624, 2626].map((register, phase) => kilowattHours(ofPhase(IMPORT, phase), register)),
  },
  {
    quantity: EXPORT,
    total: kilowattHours(EXPORT, 2636),
    phases: [2628, 2630, 2632].map((register, phase) => kilowattHours(ofPhase(EXPORT, phase), register)),
  },
];

/** The voltage at the meter, for a system without a VE.Bus that tells it. */
export const METER_VOLTAGE: GxRegisterRow = {
  quantity: quantities.voltage('Grid voltage'),
  register: 2616,
  type: 'u16',
  factor: 0.1,
  zeroIsUnknown: true,
};

export const METER_ROWS: readonly GxRegisterRow[] = [
  METER_VOLTAGE,
  ...METER_ENERGIES.flatMap(({ total, phases }) => [total, ...phases]),
];
