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

export const PHASES = [0, 1, 2] as const;

/** A power of three phases, counted from 0: in one register each, and on newer firmware in two, which hold more. */
export interface PhasePower {
  readonly wide: readonly RegisterRow[];
  /** Of no phase where newer firmware alone has the power. */
  readonly narrow: readonly RegisterRow[];
  /** Whether it flows both ways. */
  readonly isSigned: boolean;
}

const phasePower = (
  name: string,
  wide: number,
  narrow?: number,
  narrowType: 's16' | 'u16' = 'u16',
): PhasePower => {
  const quantityOf = (phase: number) => quantities.power(`${name} ${phase + 1}`);
  return {
    wide: PHASES.map((phase) => numberRow(quantityOf(phase), wide + phase * 2, 's32')),
    narrow:
      narrow === undefined
        ? []
        : PHASES.map((phase) => numberRow(quantityOf(phase), narrow + phase, narrowType)),
    isSigned: narrowType === 's16',
  };
};

export const PHASE_POWERS = {
  grid: phasePower('Grid power', 908, 820, 's16'),
  generator: phasePower('Generator power', 914, 823, 's16'),
  consumption: phasePower('Load power', 902, 817),
  pvOnOutput: phasePower('AC PV power at the output', 884, 808),
  pvOnGrid: phasePower('AC PV power at the grid', 890, 811),
  pvOnGenerator: phasePower('AC PV power at the generator', 896, 814),
  loadOnInput: phasePower('Load power non-essential', 872),
  loadOnOutput: phasePower('Load power essential', 878),
} as const;

export type PhasePowerName = keyof typeof PHASE_POWERS;

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
