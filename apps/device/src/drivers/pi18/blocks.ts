import { type MetricValue, quantities } from '@heliograph/metrics';
import type { AnswerBlocks } from '../voltronic/answer-blocks.ts';
import { conditionsIn, FAULT_CODES, faultCode } from '../voltronic/conditions.ts';
import { type FieldRow, labelled, measured, scaled, sensorTemperature } from '../voltronic/fields.ts';
import { TOPOLOGIES } from '../voltronic/labels.ts';
import { apparentPower, rating } from '../voltronic/quantities.ts';
import { FWS, GENERAL, GS, ID, MCHGCR, MOD, MUCHGCR, PI, PIRI, RATING, VFW } from './queries.ts';
import { currentsIn } from './settings.ts';

const { current, frequency, info, percentage, power, state, temperature, voltage } = quantities;

/** By the code of `MOD`. */
const MODES: Readonly<Record<string, string>> = {
  0: 'Power on',
  1: 'Standby',
  2: 'Bypass',
  3: 'Battery',
  4: 'Fault',
  5: 'Hybrid',
};

const CHARGER_STATES = { 0: 'Abnormal', 1: 'Not charging', 2: 'Charging' };

const GENERAL_ROWS: readonly FieldRow[] = [
  scaled(GENERAL.gridVoltage, voltage('Grid voltage'), 10),
  scaled(1, frequency('Grid frequency'), 10),
  scaled(2, voltage('AC output voltage'), 10),
  scaled(3, frequency('AC output frequency'), 10),
  measured(4, apparentPower('Load apparent power')),
  measured(GENERAL.outputPower, power('AC output power'), 'what the inverter itself calls the load'),
  measured(6, percentage('Load percentage')),
  scaled(GENERAL.batteryVoltage, voltage('Battery voltage'), 10),
  measured(GENERAL.chargeCurrent, current('Battery charging current')),
  measured(GENERAL.dischargeCurrent, current('Battery discharge current')),
  measured(
    GENERAL.capacity,
    percentage('Battery capacity'),
    'estimated from the voltage unless a BMS is connected',
  ),
  measured(13, temperature('Temperature')),
  sensorTemperature(14, 'MPPT temperature 1'),
  sensorTemperature(15, 'MPPT temperature 2'),
  measured(GENERAL.firstPvPower, power('PV power 1')),
  measured(GENERAL.secondPvPower, power('PV power 2')),
  scaled(18, voltage('PV voltage 1'), 10),
  scaled(19, voltage('PV voltage 2'), 10),
  labelled(21, state('MPPT state 1'), CHARGER_STATES),
  labelled(22, state('MPPT state 2'), CHARGER_STATES),
];

const RATING_ROWS: readonly FieldRow[] = [
  scaled(0, rating('Grid rating voltage', 'V', 1), 10),
  scaled(1, rating('Grid rating current', 'A', 1), 10),
  scaled(2, rating('AC output rating voltage', 'V', 1), 10),
  scaled(3, rating('AC output rating frequency', 'Hz', 1), 10),
  scaled(4, rating('AC output rating current', 'A', 1), 10),
  measured(RATING.apparentPower, rating('Max AC output apparent power', 'VA')),
  measured(6, rating('Max AC output power', 'W')),
  scaled(RATING.batteryVoltage, rating('Battery rating voltage', 'V', 1), 10),
  measured(19, rating('Parallel max num', '')),
  labelled(20, info('Machine type'), { 0: 'Off grid', 1: 'Grid tie' }),
  labelled(21, info('Topology'), TOPOLOGIES),
  measured(24, rating('MPPT count', '')),
];

/** By the place of the warning behind the fault code. */
const WARNINGS = [
  'Line fail',
  'Output short',
  'Over temperature',
  'Fan locked',
  'Battery voltage high',
  'Battery low alarm',
  'Battery under shutdown',
  'Overload',
  'EEPROM fault',
  'Power limit',
  'PV voltage 1 high',
  'PV voltage 2 high',
  'MPPT 1 overload warning',
  'MPPT 2 overload warning',
  'Battery too low to charge by MPPT 1',
  'Battery too low to charge by MPPT 2',
];

const text = (name: string, read: (word: string) => MetricValue = (word) => word): readonly FieldRow[] => [
  { at: 0, quantity: info(name), read },
];

/** Lists as texts: the rule of a number has no place for what stands between its bounds. */
const list = (word: string): MetricValue => currentsIn(word).join(', ');

export const BLOCKS: AnswerBlocks = [
  [PI, text('Protocol', (number) => `PI${number}`)],
  [ID, text('Serial number')],
  [VFW, text('Firmware version')],
  [MOD, [labelled(0, state('Device mode'), MODES)]],
  [GS, GENERAL_ROWS],
  [
    FWS,
    [
      faultCode(0, { ...FAULT_CODES, '72': 'Output circuit failed' }),
      { at: 1, quantity: state('Warnings'), read: (bits) => conditionsIn(bits, WARNINGS) },
    ],
  ],
  [PIRI, RATING_ROWS],
  [MCHGCR, text('Max charge current options', list)],
  [MUCHGCR, text('Max grid charge current options', list)],
];
