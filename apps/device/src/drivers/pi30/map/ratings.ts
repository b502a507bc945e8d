import { quantities } from '@heliograph/metrics';
import { type FieldRow, labelled, measured } from '../../voltronic/fields.ts';
import { rating } from '../../voltronic/quantities.ts';
import { areNumeric, spacedQuery } from '../../voltronic/query.ts';

const OUTPUT_PRIORITY = 16;
const CODE = /^\d$/;

/** Ratings and settings. */
export const QPIRI = spacedQuery(
  'QPIRI',
  18,
  (fields) => areNumeric(fields) && CODE.test(fields[OUTPUT_PRIORITY] ?? ''),
);

/** Fields of `QPIRI` that the driver itself needs. */
export const RATING = { apparentPower: 5, batteryVoltage: 7, batteryType: 12, outputMode: 21 } as const;

/** Values that cannot be set; the settings stand in `settings/`. */
export const RATING_ROWS: readonly FieldRow[] = [
  measured(0, rating('Grid rating voltage', 'V', 1)),
  measured(1, rating('Grid rating current', 'A', 1)),
  measured(2, rating('AC output rating voltage', 'V', 1)),
  measured(3, rating('AC output rating frequency', 'Hz', 1)),
  measured(4, rating('AC output rating current', 'A', 1)),
  measured(RATING.apparentPower, rating('Max AC output apparent power', 'VA')),
  measured(6, rating('Max AC output power', 'W')),
  measured(RATING.batteryVoltage, rating('Battery rating voltage', 'V', 1)),
  measured(18, rating('Parallel max num', ''), 'null on units that cannot be put in parallel'),
  labelled(19, quantities.info('Machine type'), { 0: 'Grid tie', 1: 'Off grid', 10: 'Hybrid' }),
  labelled(20, quantities.info('Topology'), { 0: 'Transformerless', 1: 'Transformer' }),
  labelled(
    26,
    quantities.info('Operation logic'),
    { 0: 'Automatic', 1: 'On-line', 2: 'ECO' },
    'newer firmware, one source',
  ),
];

/** Battery types from this code on are batteries that talk to the inverter, which then knows their charge. */
const FIRST_WITH_BMS = 3;

export function hasBms(batteryType: number | null): boolean {
  return batteryType !== null && batteryType >= FIRST_WITH_BMS;
}

export const OUTPUT_MODES: Readonly<Record<string, string>> = {
  0: 'Single',
  1: 'Parallel',
  2: 'Phase 1 of 3',
  3: 'Phase 2 of 3',
  4: 'Phase 3 of 3',
  5: 'Phase 1 of 2',
  6: 'Phase 2 of 2 (120)',
  7: 'Phase 2 of 2 (180)',
};

export const CHARGER_PRIORITIES: Readonly<Record<string, string>> = {
  0: 'Utility first',
  1: 'Solar first',
  2: 'Solar and utility',
  3: 'Solar only',
};

/** The output mode alone; only recordings have it. */
export const QOPM = spacedQuery('QOPM', 1, ([code = '']) => /^\d\d?$/.test(code));
export const OUTPUT_MODE_ROWS: readonly FieldRow[] = [
  labelled(0, { name: 'Output mode', group: 'Settings', unit: '' }, OUTPUT_MODES),
];
