import { type Quantity, quantities } from '@heliograph/metrics';
import type { Unit } from '../drivers/driver.ts';

/**
 * How the parts become one.
 *
 * - `sum`: power, current and capacity add up. A sum with an unknown part is unknown: the rest of it would be
 *   shown as less power than there is.
 * - `mean`: voltage, frequency, temperature and load percentage are of the same thing or of like things, so the
 *   known parts speak for all; it is unknown when none is known.
 * - `mean by capacity`: what is in all batteries out of what fits, so it is unknown with an unknown part. Where
 *   not every capacity is known, all count the same.
 * - `highest`, `lowest`: one part that is unknown may be beyond all others, so it is unknown then.
 */
export type Combination = 'sum' | 'mean' | 'mean by capacity' | 'highest' | 'lowest';

export interface Source {
  readonly kind: Unit['kind'];
  readonly name: string;
  /** The substitute for units that lack it, once any unit has it. */
  readonly orElse?: string;
}

export interface TotalRule {
  readonly quantity: Quantity;
  readonly combination: Combination;
  /** The parts' source: the first of these that any unit has. Never two, or one battery counts twice. */
  readonly sources: readonly Source[];
}

const inverters = (name: string): Source => ({ kind: 'inverters', name });
const batteries = (name: string): Source => ({ kind: 'batteries', name });

/**
 * The totals of the home, in the order in which they are listed. Battery power is the inverters' first: theirs
 * is what balances with PV, load and grid, while a battery's own meter sits behind losses. A solar charger beside them
 * reports only its output, which no inverter sees go into the battery: without it, that would be shown as load.
 */
export const TOTAL_RULES: readonly TotalRule[] = [
  { quantity: quantities.power('PV power'), combination: 'sum', sources: [inverters('PV power')] },
  { quantity: quantities.power('Load power'), combination: 'sum', sources: [inverters('Load power')] },
  { quantity: quantities.power('Grid power'), combination: 'sum', sources: [inverters('Grid power')] },
  {
    quantity: quantities.power('Battery power'),
    combination: 'sum',
    sources: [{ ...inverters('Battery power'), orElse: 'Charge power' }, batteries('Power')],
  },
  {
    quantity: quantities.stateOfCharge('Battery state of charge'),
    combination: 'mean by capacity',
    sources: [batteries('State of charge'), inverters('Battery state of charge')],
  },
  {
    quantity: quantities.voltage('Battery voltage'),
    combination: 'mean',
    sources: [batteries('Voltage'), inverters('Battery voltage')],
  },
  {
    quantity: quantities.current('Battery current'),
    combination: 'sum',
    sources: [batteries('Current'), inverters('Battery current')],
  },
  {
    quantity: quantities.temperature('Battery temperature'),
    combination: 'mean',
    sources: [batteries('Temperature'), inverters('Battery temperature')],
  },
  {
    quantity: quantities.capacity('Battery capacity'),
    combination: 'sum',
    sources: [batteries('Capacity')],
  },
  {
    quantity: quantities.percentage('Battery state of health'),
    combination: 'mean by capacity',
    sources: [batteries('State of health'), inverters('Battery state of health')],
  },
  {
    quantity: quantities.cellVoltage('Battery cell voltage - Average'),
    combination: 'mean',
    sources: [batteries('Cell voltage - Average')],
  },
  {
    quantity: quantities.cellVoltage('Battery cell voltage - Highest'),
    combination: 'highest',
    sources: [batteries('Cell voltage - Highest')],
  },
  {
    quantity: quantities.cellVoltage('Battery cell voltage - Lowest'),
    combination: 'lowest',
    sources: [batteries('Cell voltage - Lowest')],
  },
  {
    quantity: quantities.cellVoltage('Battery cell imbalance - Average'),
    combination: 'mean',
    sources: [batteries('Cell voltage - Imbalance')],
  },
  { quantity: quantities.voltage('Grid voltage'), combination: 'mean', sources: [inverters('Grid voltage')] },
  {
    quantity: quantities.frequency('Grid frequency'),
    combination: 'mean',
    sources: [inverters('Grid frequency')],
  },
  {
    quantity: quantities.voltage('AC output voltage'),
    combination: 'mean',
    sources: [inverters('AC output voltage')],
  },
  {
    quantity: quantities.frequency('AC output frequency'),
    combination: 'mean',
    sources: [inverters('AC output frequency')],
  },
  { quantity: quantities.voltage('Bus voltage'), combination: 'mean', sources: [inverters('Bus voltage')] },
  {
    quantity: quantities.power('Generator power'),
    combination: 'sum',
    sources: [inverters('Generator power')],
  },
  {
    quantity: quantities.percentage('Load percentage'),
    combination: 'mean',
    sources: [inverters('Load percentage')],
  },
];
