import { type MetricValue, quantities } from '@heliograph/metrics';
import type { AnswerBlocks } from '../voltronic/answer-blocks.ts';
import { conditionsIn, faultCode, NO_CONDITION } from '../voltronic/conditions.ts';
import { type FieldRow, labelled, measured, scaled, sensorTemperature } from '../voltronic/fields.ts';
import { MACHINE_TYPES, TOPOLOGIES } from '../voltronic/labels.ts';
import { apparentPower, rating } from '../voltronic/quantities.ts';
import { CFS, ET, GENERAL, GS, ID, MD, MOD, PI, PIRI, POWER, PS, VFW, VFW2, WS } from './queries.ts';

const { current, frequency, info, lifetimeEnergy, percentage, power, state, temperature, voltage } =
  quantities;

/** By the code of `MOD`. */
const MODES: Readonly<Record<string, string>> = {
  0: 'Power on',
  1: 'Standby',
  2: 'Bypass',
  3: 'Battery',
  4: 'Fault',
  5: 'Hybrid',
  6: 'Charge',
};

const GENERAL_ROWS: readonly FieldRow[] = [
  scaled(0, voltage('PV voltage 1'), 10),
  scaled(1, voltage('PV voltage 2'), 10),
  scaled(GENERAL.batteryVoltage, voltage('Battery voltage'), 10),
  measured(
    GENERAL.capacity,
    percentage('Battery capacity'),
    'estimated from the voltage unless a BMS is connected',
  ),
  scaled(GENERAL.gridVoltage, voltage('Grid voltage'), 10),
  scaled(8, voltage('Grid voltage L2'), 10),
  scaled(9, voltage('Grid voltage L3'), 10),
  scaled(10, frequency('Grid frequency'), 100),
  scaled(11, current('Grid current'), 10, 'one source'),
  scaled(12, current('Grid current L2'), 10, 'one source'),
  scaled(13, current('Grid current L3'), 10, 'one source'),
  scaled(14, voltage('AC output voltage'), 10),
  scaled(15, voltage('AC output voltage L2'), 10),
  scaled(16, voltage('AC output voltage L3'), 10),
  scaled(17, frequency('AC output frequency'), 100),
  measured(21, temperature('Temperature')),
  measured(22, temperature('Component temperature')),
  sensorTemperature(23, 'Battery temperature'),
];

const POWER_ROWS: readonly FieldRow[] = [
  measured(POWER.firstPv, power('PV power 1')),
  measured(POWER.secondPv, power('PV power 2')),
  measured(7, power('AC output power L1')),
  measured(8, power('AC output power L2')),
  measured(9, power('AC output power L3')),
  measured(POWER.outputTotal, power('AC output power'), 'what the inverter itself calls the load'),
  measured(14, apparentPower('Load apparent power')),
  measured(15, percentage('Load percentage')),
];

const RATING_ROWS: readonly FieldRow[] = [
  scaled(0, rating('Grid rating voltage', 'V', 1), 10),
  scaled(1, rating('Grid rating frequency', 'Hz', 1), 10),
  scaled(2, rating('Grid rating current', 'A', 1), 10),
  scaled(3, rating('AC output rating voltage', 'V', 1), 10),
  scaled(4, rating('AC output rating current', 'A', 1), 10),
  scaled(5, rating('MPPT rating current', 'A', 1), 10),
  scaled(6, rating('Battery rating voltage', 'V', 1), 10),
  measured(7, rating('MPPT count', '')),
  labelled(8, info('Machine type'), MACHINE_TYPES),
  labelled(9, info('Topology'), TOPOLOGIES),
  labelled(10, info('Parallel operation'), { 0: 'Disabled', 1: 'Enabled' }),
];

export const MODELS: Readonly<Record<string, string>> = {
  0: 'InfiniSolar 10 kW 3P',
  1: 'InfiniSolar 15 kW 3P',
  2: 'InfiniSolar 15 kW 3P',
  3: 'InfiniSolar WP',
  4: 'InfiniSolar WP 30 kW 3P',
  5: 'InfiniSolar WP LV 6 kW 2P',
  6: 'InfiniSolar WP TWIN',
};

/** By the place of the warning. */
const WARNINGS = [
  'PV 1 loss',
  'PV 2 loss',
  'PV voltage 1 high',
  'PV voltage 2 high',
  'Battery under shutdown',
  'Battery low alarm',
  'Battery open',
  'Battery voltage high',
  'Battery low in hybrid mode',
  'Grid voltage high',
  'Grid voltage low',
  'Grid frequency high',
  'Grid frequency low',
  'Grid average voltage high',
  'Grid voltage loss',
  'Grid frequency loss',
  'Grid island',
  'Grid phase dislocation',
  'Over temperature',
  'Overload',
  'Emergency power off',
  'Grid wave loss',
];

const FAULTS: Readonly<Record<string, string>> = {
  '00': NO_CONDITION,
  '01': 'Bus voltage high',
  '02': 'Bus voltage low',
  '03': 'Bus soft start time out',
  '04': 'Inverter soft start time out',
  '05': 'Inverter over current',
  '06': 'Over temperature',
  '07': 'Inverter relay failed',
  '08': 'Current sensor failed',
  '09': 'PV voltage high',
  '10': 'Auxiliary power failed',
  '11': 'PV over current',
  '12': 'Leakage current high',
  '13': 'PV insulation low',
  '14': 'DC current fed into the grid',
  '15': 'Processors measure the grid differently',
  '16': 'Leakage current sensor failed',
  '17': 'Processors do not communicate',
  '18': 'Processors disagree',
  '19': 'Grid ground wire lost',
  '22': 'Battery voltage high',
  '23': 'Overload',
  '24': 'Battery open',
  '26': 'Output short',
  '27': 'Fan locked',
  '32': 'Battery converter over current',
  '33': 'Output voltage low',
  '34': 'Output voltage high',
  '35': 'Control board wiring failed',
  '36': 'Grid voltage sensors disagree',
};

const text = (name: string, read: (word: string) => MetricValue = (word) => word): readonly FieldRow[] => [
  { at: 0, quantity: info(name), read },
];

const versionOf = (word: string): string => word.slice(word.indexOf(':') + 1);

export const BLOCKS: AnswerBlocks = [
  [PI, text('Protocol', (number) => `PI${number}`)],
  [MD, [labelled(0, info('Model name'), MODELS), measured(1, rating('Max AC output apparent power', 'VA'))]],
  [ID, text('Serial number')],
  [VFW, text('Firmware version', versionOf)],
  [VFW2, text('Firmware version 2', versionOf)],
  [MOD, [labelled(0, state('Device mode'), MODES)]],
  [GS, GENERAL_ROWS],
  [PS, POWER_ROWS],
  [CFS, [{ ...faultCode(0, FAULTS), remark: 'one source' }]],
  [WS, [{ at: 0, quantity: state('Warnings'), read: (bits) => conditionsIn(bits, WARNINGS) }]],
  [ET, [measured(0, lifetimeEnergy('Total PV energy'))]],
  [PIRI, RATING_ROWS],
];
