import type { DescribedUnit } from '../described-unit.ts';
import { describedRows, describedSettings } from '../voltronic/described.ts';
import { POWER_QUANTITIES } from '../voltronic/powers.ts';
import { BLOCKS } from './blocks.ts';
import { STATE_OF_CHARGE } from './protocol.ts';
import { RATING } from './queries.ts';
import { settingsOf } from './settings.ts';

/** A unit with 48 V that stands alone, as most do. */
const USUAL = {
  ratings: Array.from({ length: 25 }, (_, at) => (at === RATING.batteryVoltage ? '480' : '0')),
  chargeCurrents: [10, 20, 30, 40, 50, 60, 70, 80],
  gridChargeCurrents: [10, 20, 30, 40, 50, 60],
};

const WORKED_OUT: Readonly<Record<string, string>> = {
  'PV power': 'GS field 16 plus field 17',
  'Battery current': 'GS field 11 minus field 10',
  'Battery power': 'battery current times GS field 7',
  'Grid power': 'output + battery - PV on the grid, 0 on battery',
  'Load power': 'PV + grid - battery; the AC output power while the grid power is unknown',
};

/** The whole map, for people. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Inverter',
    rows: [
      ...BLOCKS.flatMap(([{ command }, rows]) => describedRows(command, rows)),
      ...POWER_QUANTITIES.map((quantity) => ({ quantity, from: WORKED_OUT[quantity.name] ?? 'worked out' })),
      {
        quantity: STATE_OF_CHARGE,
        from: 'GS field 12',
        remark: 'unless the battery type is AGM, Flooded or User',
      },
      ...describedSettings(settingsOf(USUAL)),
    ],
  },
];
