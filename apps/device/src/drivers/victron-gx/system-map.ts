import { quantities } from '@heliograph/metrics';
import type { RegisterRow } from '../modbus/row.ts';
import { codeRow, numberRow } from './row-builders.ts';
import { ACTIVE_INPUT, BATTERY_STATE } from './states.ts';

export const SERIAL_NUMBER: RegisterRow = {
  quantity: quantities.info('Serial number'),
  registers: [800, 801, 802, 803, 804, 805],
  type: 'ascii',
};

export const INPUT_SOURCE = codeRow(quantities.state('Active input'), 826, ACTIVE_INPUT);

/** The battery of the system: the values of one battery service, or those that the GX computes. */
export const SYSTEM_BATTERY = {
  voltage: numberRow(quantities.voltage('Battery voltage'), 840, 'u16', { scale: 0.1, zeroIsUnknown: true }),
  current: numberRow(quantities.current('Battery current'), 841, 's16', { scale: 0.1 }),
  power: numberRow(quantities.power('Battery power'), 842, 's16'),
  stateOfCharge: numberRow(quantities.stateOfCharge('Battery state of charge'), 843, 'u16'),
  state: codeRow(quantities.state('Battery state'), 844, BATTERY_STATE),
} as const;

/** Of all solar chargers together. */
export const DC_PV = numberRow(quantities.power('DC couple PV power'), 850, 'u16');

/** 0 also where nothing measures it. */
export const DC_LOAD = numberRow(quantities.power('DC load power'), 860, 's16', { zeroIsUnknown: true });

/** A power of three phases: in three registers, and on newer firmware in six, which hold more. */
export interface PhasePower {
  readonly wide: number;
  readonly narrow?: number;
  readonly narrowType?: 'u16' | 's16';
}

export const PHASE_POWERS = {
  grid: { wide: 908, narrow: 820, narrowType: 's16' },
  generator: { wide: 914, narrow: 823, narrowType: 's16' },
  consumption: { wide: 902, narrow: 817, narrowType: 'u16' },
  pvOnOutput: { wide: 884, narrow: 808, narrowType: 'u16' },
  pvOnGrid: { wide: 890, narrow: 811, narrowType: 'u16' },
  pvOnGenerator: { wide: 896, narrow: 814, narrowType: 'u16' },
  loadOnInput: { wide: 872 },
  loadOnOutput: { wide: 878 },
} as const satisfies Readonly<Record<string, PhasePower>>;

export type PhasePowerName = keyof typeof PHASE_POWERS;

export const PHASES = [0, 1, 2] as const;

/** Quantities that are computed from the above. */
export const PV = quantities.power('PV power');
export const AC_PV = quantities.power('AC couple PV power');
export const GRID = quantities.power('Grid power');
export const GENERATOR = quantities.power('Generator power');
export const LOAD = quantities.power('Load power');
export const ESSENTIAL = quantities.power('Load power essential');
export const NON_ESSENTIAL = quantities.power('Load power non-essential');

/** By phase, counted from 0. */
export const GRID_PHASES = PHASES.map((phase) => quantities.power(`${GRID.name} ${phase + 1}`));
export const LOAD_PHASES = PHASES.map((phase) => quantities.power(`${LOAD.name} ${phase + 1}`));

/** Quantities with registers of their own. */
export const SYSTEM_ROWS: readonly RegisterRow[] = [
  SERIAL_NUMBER,
  INPUT_SOURCE,
  ...Object.values(SYSTEM_BATTERY),
  DC_PV,
  DC_LOAD,
];

/** A power of one phase, in both of its places. */
export interface PhaseRows {
  readonly wide: RegisterRow;
  readonly narrow?: RegisterRow;
}

/** By name, and by phase from 0. */
export const PHASE_ROWS_BY_NAME = mapPhases(PHASE_POWERS);

function mapPhases(
  powers: Readonly<Record<PhasePowerName, PhasePower>>,
): Readonly<Record<PhasePowerName, readonly PhaseRows[]>> {
  const rowsOf = ([name, { wide, narrow, narrowType = 's16' }]: [string, PhasePower]) => [
    name,
    PHASES.map((phase): PhaseRows => {
      const quantity = quantities.power(`${name} ${phase + 1}`);
      const wideRow = numberRow(quantity, wide + phase * 2, 's32');
      if (narrow === undefined) return { wide: wideRow };
      return { wide: wideRow, narrow: numberRow(quantity, narrow + phase, narrowType) };
    }),
  ];
  return Object.fromEntries(Object.entries(powers).map(rowsOf));
}
