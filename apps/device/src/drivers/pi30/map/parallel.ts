import { quantities } from '@heliograph/metrics';
import { faultCode } from '../../voltronic/conditions.ts';
import { type AnswerFields, type FieldRow, labelled, measured } from '../../voltronic/fields.ts';
import { OUTPUT_MODES } from '../../voltronic/labels.ts';
import { apparentPower, shownSetting } from '../../voltronic/quantities.ts';
import { areNumeric, isBits, type Query, spacedQuery } from '../../voltronic/query.ts';
import { deviceMode } from './mode.ts';
import { CHARGER_PRIORITIES } from './ratings.ts';

/** How many inverters a parallel system can have: `QPGS0` to `QPGS8`. */
export const MAX_INVERTERS = 9;

const MODE_LETTER = /^[A-Z]$/;
const SERIAL = /^[0-9A-Z]{8,}$/i;

/** Fields of `QPGSn` that the driver itself needs. */
export const PARALLEL = {
  exists: 0,
  serial: 1,
  mode: 2,
  gridVoltage: 4,
  outputPower: 9,
  batteryVoltage: 11,
  chargeCurrent: 12,
  pvVoltage: 14,
  statusBits: 19,
  dischargeCurrent: 26,
} as const;

/**
 * The status of one inverter of a parallel system; any of them answers for all.
 *
 * @param serial the answer of another inverter is none
 */
export function parallelQuery(number: number, serial?: string): Query {
  return spacedQuery(
    `QPGS${number}`,
    27,
    (fields) =>
      isParallelStatus(fields) &&
      (serial === undefined || !isPresent(fields) || fields[PARALLEL.serial] === serial),
  );
}

/** An inverter that is not there leaves everything behind the first field to chance. */
function isParallelStatus(fields: AnswerFields): boolean {
  if (fields[PARALLEL.exists] === '0') return true;
  return (
    isPresent(fields) &&
    isBits(fields[PARALLEL.statusBits]) &&
    MODE_LETTER.test(fields[PARALLEL.mode] ?? '') &&
    SERIAL.test(fields[PARALLEL.serial] ?? '') &&
    areNumeric(fields.slice(PARALLEL.gridVoltage))
  );
}

export function isPresent(fields: AnswerFields): boolean {
  return fields[PARALLEL.exists] === '1';
}

/** Why the settings of an inverter cannot be written that only speaks through another one. */
export const SLAVE_REFUSAL =
  'this inverter is a slave of a parallel system; change the setting on the inverter that the cable goes to';

const shown = (name: string, unit: 'A' | ''): ReturnType<typeof shownSetting> =>
  shownSetting(name, unit, SLAVE_REFUSAL);

export const PARALLEL_ROWS: readonly FieldRow[] = [
  { at: PARALLEL.serial, quantity: quantities.info('Serial number'), read: (serial) => serial },
  deviceMode(PARALLEL.mode),
  faultCode(3),
  measured(PARALLEL.gridVoltage, quantities.voltage('Grid voltage')),
  measured(5, quantities.frequency('Grid frequency')),
  measured(6, quantities.voltage('AC output voltage')),
  measured(7, quantities.frequency('AC output frequency')),
  measured(8, apparentPower('Load apparent power')),
  measured(PARALLEL.outputPower, quantities.power('AC output power')),
  measured(10, quantities.percentage('Load percentage')),
  measured(PARALLEL.batteryVoltage, quantities.voltage('Battery voltage')),
  measured(PARALLEL.chargeCurrent, quantities.current('Battery charging current')),
  measured(PARALLEL.dischargeCurrent, quantities.current('Battery discharge current')),
  measured(13, quantities.percentage('Battery capacity')),
  measured(PARALLEL.pvVoltage, quantities.voltage('PV voltage')),
  measured(25, quantities.current('PV current')),
  labelled(20, shown('Output mode', ''), OUTPUT_MODES),
  labelled(21, shown('Charger source priority', ''), CHARGER_PRIORITIES),
  measured(22, shown('Max charge current', 'A')),
  measured(24, shown('Max grid charge current', 'A')),
];
