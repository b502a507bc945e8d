import { quantities } from '@heliograph/metrics';
import { type FieldRow, labelled, measured, numberIn } from '../../voltronic/fields.ts';
import { apparentPower } from '../../voltronic/quantities.ts';
import { areNumeric, isBits, spacedQuery } from '../../voltronic/query.ts';

const STATUS_BITS = 16;

/** General status. */
export const QPIGS = spacedQuery(
  'QPIGS',
  17,
  (fields) => isBits(fields[STATUS_BITS]) && areNumeric(fields.slice(0, STATUS_BITS)),
);

/** Fields of `QPIGS` that the driver itself needs. */
export const GENERAL = {
  gridVoltage: 0,
  outputPower: 5,
  batteryVoltage: 8,
  chargeCurrent: 9,
  capacity: 10,
  pvCurrent: 12,
  chargerVoltage: 14,
  dischargeCurrent: 15,
  pvPower: 19,
  feedsGrid: 21,
} as const;

/** Inverters of 1 to 3 kW (HS, MS, MSX) put the sensor's raw number here, which is always above this. */
const HOTTEST_C = 150;

const temperature: FieldRow = {
  at: 11,
  quantity: quantities.temperature('Temperature'),
  read: (text) => {
    const value = numberIn(text);
    return value === null || value > HOTTEST_C ? null : value;
  },
  remark: 'unknown on small units, which report the raw number of the sensor',
};

export const GENERAL_ROWS: readonly FieldRow[] = [
  measured(GENERAL.gridVoltage, quantities.voltage('Grid voltage')),
  measured(1, quantities.frequency('Grid frequency')),
  measured(2, quantities.voltage('AC output voltage')),
  measured(3, quantities.frequency('AC output frequency')),
  measured(4, apparentPower('Load apparent power')),
  measured(
    GENERAL.outputPower,
    quantities.power('AC output power'),
    'what the inverter itself calls the load',
  ),
  measured(6, quantities.percentage('Load percentage')),
  measured(7, quantities.voltage('Bus voltage')),
  measured(GENERAL.batteryVoltage, { ...quantities.voltage('Battery voltage'), decimals: 2 }),
  measured(GENERAL.chargeCurrent, quantities.current('Battery charging current')),
  measured(GENERAL.dischargeCurrent, quantities.current('Battery discharge current')),
  measured(
    GENERAL.capacity,
    quantities.percentage('Battery capacity'),
    'estimated from the voltage unless a BMS is connected',
  ),
  temperature,
  measured(
    GENERAL.pvCurrent,
    quantities.current('PV current'),
    'on older units the current into the battery, on newer ones that of the panels',
  ),
  measured(13, quantities.voltage('PV voltage')),
  labelled(
    GENERAL.feedsGrid,
    quantities.state('Solar feed to grid'),
    { 0: 'Disabled', 1: 'Enabled' },
    'not confirmed',
  ),
];

/** The second MPPT of models that have two; others refuse the query. */
export const QPIGS2 = spacedQuery('QPIGS2', 3, (fields) => areNumeric(fields) && fields.length < 10);

export const SECOND_PV_POWER = 2;

export const SECOND_ROWS: readonly FieldRow[] = [
  measured(0, quantities.current('PV current 2')),
  measured(1, quantities.voltage('PV voltage 2')),
  measured(SECOND_PV_POWER, quantities.power('PV power 2')),
];
