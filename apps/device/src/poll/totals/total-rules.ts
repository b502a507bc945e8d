import { type MeterRole, type Quantity, quantities, type UnitKind } from '@heliograph/metrics';

/**
 * How the parts become one.
 *
 * - `sum`: power, current and capacity add up. A sum with an unknown part is unknown: the rest of it would be
 *   shown as less power than there is.
 * - `mean`: temperature and load percentage are of the same thing or of like things, so the known parts speak for all;
 *   it is unknown when none is known.
 * - `mean of running`: likewise voltage and frequency, without the units that report 0 while another does not: those sleep
 *   or have no such connection, and a grid of 50 Hz beside one of them has no 25 Hz.
 * - `mean by capacity`: what is in all batteries out of what fits, so it is unknown with an unknown part. Where
 *   not every capacity is known, all count the same.
 * - `highest`, `lowest`: one part that is unknown may be beyond all others, so it is unknown then.
 */
export type Combination = 'sum' | 'mean' | 'mean of running' | 'mean by capacity' | 'highest' | 'lowest';

/** A quantity of one kind of unit that a total is made of. */
export interface Part {
  readonly kind: UnitKind;
  readonly name: string;
  /** The substitute for units that lack it. */
  readonly orElse?: string;
  /** Only of units of this role. */
  readonly role?: MeterRole;
}

/** All units that have one of these parts measure a total together. */
export interface Source {
  readonly parts: readonly Part[];
  /** Parts that count along once a unit has one of the above, and make no total alone. */
  readonly beside?: readonly Part[];
}

export interface TotalRule {
  readonly quantity: Quantity;
  readonly combination: Combination;
  /** The first of these that any unit has. Never two, or one battery counts twice. */
  readonly sources: readonly Source[];
}

const part =
  (kind: UnitKind) =>
  (name: string): Source => ({ parts: [{ kind, name }] });
const inverters = part('inverters');
const batteries = part('batteries');
const generators = part('generators');

const meter = (role: MeterRole, name = 'Power'): Part => ({ kind: 'meters', role, name });
const meters = (role: MeterRole, name?: string): Source => ({ parts: [meter(role, name)] });

/**
 * The totals of the home, in the order in which they are listed. What a meter of a role measures is the truth about the
 * grid, the load and a generator. PV and batteries that have a meter are read by nothing else: they count besides.
 *
 * Battery power is the inverters' first: theirs is what balances with PV, load and grid, while a battery's own meter sits
 * behind losses. A charger beside them reports only its output, which no inverter sees go into the battery: without it,
 * that would be shown as load.
 */
export const TOTAL_RULES: readonly TotalRule[] = [
  {
    quantity: quantities.power('PV power'),
    combination: 'sum',
    sources: [
      {
        parts: [{ kind: 'inverters', name: 'PV power' }, { kind: 'chargers', name: 'PV power' }, meter('pv')],
      },
    ],
  },
  {
    quantity: quantities.power('Load power'),
    combination: 'sum',
    sources: [meters('load'), inverters('Load power')],
  },
  {
    quantity: quantities.power('Grid power'),
    combination: 'sum',
    sources: [meters('grid'), inverters('Grid power')],
  },
  {
    quantity: quantities.power('Battery power'),
    combination: 'sum',
    sources: [
      {
        parts: [{ kind: 'inverters', name: 'Battery power', orElse: 'Charge power' }, meter('battery')],
        beside: [{ kind: 'chargers', name: 'Charge power' }],
      },
      batteries('Power'),
    ],
  },
  {
    quantity: quantities.stateOfCharge('Battery state of charge'),
    combination: 'mean by capacity',
    sources: [batteries('State of charge'), inverters('Battery state of charge')],
  },
  {
    quantity: quantities.voltage('Battery voltage'),
    combination: 'mean of running',
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
  {
    quantity: quantities.voltage('Grid voltage'),
    combination: 'mean of running',
    sources: [meters('grid', 'Voltage'), inverters('Grid voltage')],
  },
  {
    quantity: quantities.frequency('Grid frequency'),
    combination: 'mean of running',
    sources: [meters('grid', 'Frequency'), inverters('Grid frequency')],
  },
  {
    quantity: quantities.voltage('AC output voltage'),
    combination: 'mean of running',
    sources: [inverters('AC output voltage')],
  },
  {
    quantity: quantities.frequency('AC output frequency'),
    combination: 'mean of running',
    sources: [inverters('AC output frequency')],
  },
  {
    quantity: quantities.voltage('Bus voltage'),
    combination: 'mean of running',
    sources: [inverters('Bus voltage')],
  },
  {
    quantity: quantities.power('Generator power'),
    combination: 'sum',
    sources: [meters('generator'), generators('Power'), inverters('Generator power')],
  },
  {
    quantity: quantities.percentage('Load percentage'),
    combination: 'mean',
    sources: [inverters('Load percentage')],
  },
];
