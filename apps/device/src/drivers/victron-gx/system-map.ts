import { quantities } from '@heliograph/metrics';
import type { RegisterSpan } from './blocks.ts';
import type { GxNumberLayout, GxRegisterRow } from './row.ts';
import { ACTIVE_INPUT, BATTERY_STATE } from './states.ts';

export const SERIAL_NUMBER = {
  quantity: quantities.info('Serial number'),
  register: 800,
  type: 'text',
  length: 6,
} as const satisfies GxRegisterRow;

export const INPUT_SOURCE = {
  quantity: quantities.state('Active input'),
  register: 826,
  type: 'code',
  labels: ACTIVE_INPUT,
} as const satisfies GxRegisterRow;

/** The battery of the system: the values of one battery service, or those that the GX computes. */
export const SYSTEM_BATTERY = {
  voltage: {
    quantity: quantities.voltage('Battery voltage'),
    register: 840,
    type: 'u16',
    factor: 0.1,
    zeroIsUnknown: true,
  },
  current: { quantity: quantities.current('Battery current'), register: 841, type: 's16', factor: 0.1 },
  power: { quantity: quantities.power('Battery power'), register: 842, type: 's16' },
  stateOfCharge: {
    quantity: quantities.stateOfCharge('Battery state of charge'),
    register: 843,
    type: 'u16',
  },
  state: { quantity: quantities.state('Battery state'), register: 844, type: 'code', labels: BATTERY_STATE },
} as const satisfies Readonly<Record<string, GxRegisterRow>>;

/** Of all solar chargers together. */
export const DC_PV: GxRegisterRow = {
  quantity: quantities.power('DC couple PV power'),
  register: 850,
  type: 'u16',
};

/** 0 also where nothing measures it. */
export const DC_LOAD: GxRegisterRow = {
  quantity: quantities.power('DC load power'),
  register: 860,
  type: 's16',
  zeroIsUnknown: true,
};

/** A power of three phases: in three registers, and on newer firmware in six, which hold more. */
export interface PhasePower {
  readonly wide: number;
  readonly narrow?: number;
  readonly narrowType?: Extract<GxNumberLayout['type'], 'u16' | 's16'>;
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
export const SYSTEM_ROWS: readonly GxRegisterRow[] = [
  SERIAL_NUMBER,
  INPUT_SOURCE,
  ...Object.values(SYSTEM_BATTERY),
  DC_PV,
  DC_LOAD,
];

/** The registers of a power of three phases. */
export function phaseSpans({ wide, narrow }: PhasePower): readonly RegisterSpan[] {
  return PHASES.flatMap((phase) => [
    { register: wide + phase * 2, width: 2 },
    ...(narrow === undefined ? [] : [{ register: narrow + phase, width: 1 }]),
  ]);
}
