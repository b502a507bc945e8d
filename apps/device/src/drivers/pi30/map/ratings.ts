import { quantities } from '@heliograph/metrics';
import { type FieldRow, labelled, measured } from '../../voltronic/fields.ts';
import { MACHINE_TYPES, OUTPUT_MODES, TOPOLOGIES } from '../../voltronic/labels.ts';
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
  labelled(19, quantities.info('Machine type'), MACHINE_TYPES),
  labelled(20, quantities.info('Topology'), TOPOLOGIES),
  labelled(
    26,
    quantities.info('Operation logic'),
    { 0: 'Automatic', 1: 'On-line', 2: 'ECO' },
    'newer firmware, one source',
  ),
];

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
