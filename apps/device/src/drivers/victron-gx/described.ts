import type { Quantity } from '@heliograph/metrics';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import type { RegisterRow } from '../modbus/row.ts';
import {
  BATTERY_CHARGE,
  BATTERY_CURRENT,
  BATTERY_DETAILS,
  BATTERY_POWERS,
  BATTERY_TEMPERATURE,
  BATTERY_VOLTAGE,
  chargerRows,
  INPUT_POWER,
  INPUT_POWERS,
  METER_ENERGIES,
  METER_VOLTAGE,
  OUTPUT_POWER,
  OUTPUT_POWERS,
  PHASE_ROWS,
  VEBUS_ROWS,
} from './device-maps.ts';

import type { Service } from './services.ts';
import { ESS_STATE, SETTINGS } from './settings-map.ts';
import {
  AC_PV,
  DC_LOAD,
  DC_PV,
  ESSENTIAL,
  GENERATOR,
  GRID,
  GRID_PHASES,
  INPUT_SOURCE,
  LOAD,
  LOAD_PHASES,
  NON_ESSENTIAL,
  PHASE_POWERS,
  type PhasePower,
  type PhasePowerName,
  PV,
  SERIAL_NUMBER,
  SYSTEM_BATTERY,
} from './system-map.ts';

const SEVERAL_PHASES = 'with two or three phases';
const SEEN = 'once it is not 0';

/** All units and quantities of the family, for the tables of `README.md`. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'The system (one inverter)',
    rows: [
      rowOf('system', SERIAL_NUMBER),
      rowOf('system', INPUT_SOURCE),
      sum(PV, `${place('system', DC_PV)} + AC-coupled`),
      sum(AC_PV, phases('pvOnOutput', 'pvOnGrid', 'pvOnGenerator'), SEEN),
      sum(GRID, phases('grid'), 'with a grid, as a VE.Bus or a meter reports'),
      ...GRID_PHASES.map((quantity, phase) => sum(quantity, onePhase('grid', phase), SEVERAL_PHASES)),
      sum(GENERATOR, phases('generator'), SEEN),
      ...Object.values(SYSTEM_BATTERY).map((row) => rowOf('system', row)),
      sum(LOAD, 'worked out', 'PV power + Grid power + Generator power - Battery power'),
      ...LOAD_PHASES.map((quantity, phase) =>
        sum(quantity, onePhase('consumption', phase), `AC loads alone; ${SEVERAL_PHASES}`),
      ),
      sum(ESSENTIAL, phases('loadOnOutput'), 'newer firmware'),
      sum(NON_ESSENTIAL, phases('loadOnInput'), 'newer firmware'),
      rowOf('system', DC_LOAD, SEEN),
      ...VEBUS_ROWS.map((row) => rowOf('vebus', row)),
      sum(INPUT_POWER, sumOf('vebus', INPUT_POWERS)),
      sum(OUTPUT_POWER, sumOf('vebus', OUTPUT_POWERS)),
      ...PHASE_ROWS.flat().map((row) => rowOf('vebus', row, SEVERAL_PHASES)),
      rowOf('vebus', BATTERY_TEMPERATURE, SEEN),
      ...Object.values(chargerRows(1)).map((row) => rowOf('solarcharger', row, 'likewise for each charger')),
      rowOf('grid', METER_VOLTAGE, 'without a VE.Bus'),
      ...METER_ENERGIES.map(({ quantity, total, phases: rows }) =>
        sum(quantity, `${place('grid', total)}, or ${sumOf('grid', rows)}`),
      ),
      rowOf('settings', ESS_STATE),
      ...SETTINGS.map(({ service, row, remark }) => rowOf(service, row, remark)),
    ],
  },
  {
    title: 'Battery service',
    rows: [
      rowOf('battery', BATTERY_CHARGE),
      rowOf('battery', BATTERY_VOLTAGE),
      rowOf('battery', BATTERY_CURRENT),
      sum(
        BATTERY_POWERS[0].quantity,
        BATTERY_POWERS.map((row) => place('battery', row)).join(', or '),
        'on older firmware voltage x current',
      ),
      ...BATTERY_DETAILS.map((row) => rowOf('battery', row, SEEN)),
    ],
  },
];

function rowOf(service: Service, row: RegisterRow, remark?: string): DescribedQuantity {
  return sum(row.quantity, place(service, row), remark);
}

function sum(quantity: Quantity, from: string, remark?: string): DescribedQuantity {
  return { quantity, from, ...(remark === undefined ? {} : { remark }) };
}

function place(service: Service, row: RegisterRow): string {
  return `${service} ${rangeOf([row])}`;
}

function sumOf(service: Service, rows: readonly RegisterRow[]): string {
  return `${service} ${rows.map(firstOf).join(' + ')}`;
}

function firstOf({ registers }: RegisterRow): number {
  return Math.min(...registers);
}

function phases(...names: readonly PhasePowerName[]): string {
  const ranges = (rows: (power: PhasePower) => readonly RegisterRow[]) =>
    names.map((name) => rows(PHASE_POWERS[name])).flatMap((own) => (own.length === 0 ? [] : [rangeOf(own)]));
  const [wide, narrow] = [ranges((power) => power.wide), ranges((power) => power.narrow)];
  return `system ${wide.join(' + ')}${narrow.length === 0 ? '' : `, or ${narrow.join(' + ')}`}`;
}

function onePhase(name: PhasePowerName, phase: number): string {
  const { wide, narrow } = PHASE_POWERS[name];
  return `system ${rangeOf(wide.slice(phase, phase + 1))}, or ${rangeOf(narrow.slice(phase, phase + 1))}`;
}

/** The first and the last register of neighbouring rows. */
function rangeOf(rows: readonly RegisterRow[]): string {
  const registers = rows.flatMap((row) => row.registers);
  const [first, last] = [Math.min(...registers), Math.max(...registers)];
  return first === last ? String(first) : `${first}-${last}`;
}
