import type { DescribedUnit } from '../described-unit.ts';
import { describedRows, describedSettings } from '../voltronic/described.ts';
import { POWER_QUANTITIES } from '../voltronic/powers.ts';
import { BLOCKS, STATE_OF_CHARGE } from './inverter.ts';
import { PARALLEL_ROWS } from './map/parallel.ts';
import { QOPM } from './map/ratings.ts';
import { FIRST_PV_POWER } from './powers.ts';
import { settingsOf } from './settings/index.ts';

/** A 5 kVA unit with 48 V, as most are; the bounds of others are in the remarks. */
const USUAL = {
  ratings: ['', '', '', '', '', '', '', '48'],
  chargeCurrents: [10, 20, 30, 40, 50, 60, 70, 80],
  gridChargeCurrents: [2, 10, 20, 30, 40, 50, 60],
  parallelNumber: undefined,
  ownChargerNumbers: false,
};

const WORKED_OUT: Readonly<Record<string, string>> = {
  'PV power': 'QPIGS field 19, else field 12 times field 14; plus QPIGS2 field 2',
  'PV power 1': 'QPIGS field 19, where there is a second MPPT',
  'Battery current': 'QPIGS field 9 minus field 15',
  'Battery power': 'battery current times QPIGS field 8',
  'Grid power': 'output + battery - PV on the grid, 0 on battery',
  'Load power': 'PV + grid - battery; the AC output power while the grid power is unknown',
};

/** The whole map, for people. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Inverter',
    rows: [
      ...BLOCKS.filter(([query]) => query !== QOPM).flatMap(([{ command }, rows]) =>
        describedRows(command, rows),
      ),
      ...[...POWER_QUANTITIES, FIRST_PV_POWER].map((quantity) => ({
        quantity,
        from: WORKED_OUT[quantity.name] ?? 'worked out',
      })),
      {
        quantity: STATE_OF_CHARGE,
        from: 'QPIGS field 10',
        remark: 'with a battery that talks to the inverter',
      },
      ...describedSettings(settingsOf(USUAL)),
    ],
  },
  {
    title: 'Another inverter of a parallel system',
    rows: [
      ...describedRows('QPGSn', PARALLEL_ROWS),
      ...POWER_QUANTITIES.map((quantity) => ({
        quantity,
        from: 'worked out',
        ...(quantity.name === 'PV power' ? { remark: 'unknown on the grid while the sun shines' } : {}),
      })),
    ],
  },
];
