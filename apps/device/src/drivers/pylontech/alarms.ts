import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import { AnswerReader } from '../answer-reader.ts';
import { limitFaults } from '../ascii-frame/limit-faults.ts';
import { alarmText, BATTERY, onOff } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { type FlagLabels, flagLabels, isSet } from '../flag-labels.ts';
import { type ModuleAnswer, type RequestedModules, takeAddresses } from './analog.ts';

const { state } = quantities;

/** Bits of status 1 that are alarms. */
const PROTECTIONS: FlagLabels = [
  'Module over voltage',
  'Cell under voltage',
  'Charge over current',
  null,
  'Discharge over current',
  'Discharge over temperature',
  'Charge over temperature',
  'Module under voltage',
];

/** Bits of status 2 and 3 that are on or off. */
export const SWITCHES: readonly {
  readonly status: 2 | 3;
  readonly bit: number;
  readonly quantity: Quantity;
}[] = [
  { status: 2, bit: 1, quantity: BATTERY.chargeMosfet },
  { status: 2, bit: 2, quantity: BATTERY.dischargeMosfet },
  { status: 2, bit: 0, quantity: BATTERY.preChargeMosfet },
  { status: 3, bit: 5, quantity: BATTERY.heater },
  { status: 3, bit: 0, quantity: state('Buzzer') },
];

/** Bits of status 3, the first that is set counts. */
const CHARGE_STATES = [
  { bit: 7, text: 'Charging' },
  { bit: 6, text: 'Discharging' },
  { bit: 3, text: 'Full' },
] as const;

const CELLS_PER_STATUS = 8;

/**
 * The answer to 44H: DATAFLAG 1, the address (or the number of modules), then of each module: M, M bytes of cells;
 * T, T bytes of temperatures; a byte each of charge current, voltage and discharge current; status 1 to 5.
 *
 * @throws BadFrame
 */
export function parseAlarms(info: Uint8Array, requested: RequestedModules): readonly ModuleAnswer[] {
  const reader = new AnswerReader(info);
  reader.take('u8');
  const addresses = takeAddresses(reader, requested);
  const modules = addresses.map((address) => ({ address, entries: takeModule(reader) }));
  reader.end();
  return modules;
}

function takeModule(reader: AnswerReader): readonly Entry[] {
  const cells = reader.takeMany(reader.take('u8'), 'u8');
  const [board, ...groups] = reader.takeMany(reader.take('u8'), 'u8');
  const [chargeCurrent, voltage, dischargeCurrent] = reader.takeMany(3, 'u8');
  const [protections = 0, status2 = 0, status3 = 0, failed = 0, failedMore = 0] = reader.takeMany(5, 'u8');
  const bytes = { 2: status2, 3: status3 };
  const alarms = [
    ...cells.map((value, index) => limitFaults(`Cell ${index + 1}`, value)),
    limitFaults('BMS temperature', board),
    ...groups.map((value, index) => limitFaults(`Temperature ${index + 1}`, value)),
    limitFaults('Charge current', chargeCurrent),
    limitFaults('Voltage', voltage),
    limitFaults('Discharge current', dischargeCurrent),
    flagLabels(protections, PROTECTIONS),
    ...[failed, failedMore].map(failedCells),
  ].flat();
  return [
    [BATTERY.alarms, alarmText(alarms)],
    [BATTERY.chargeState, CHARGE_STATES.find(({ bit }) => isSet(status3, bit))?.text ?? 'Idle'],
    ...SWITCHES.map(({ status, bit, quantity }): [Quantity, MetricValue] => [
      quantity,
      onOff(isSet(bytes[status], bit)),
    ]),
  ];
}

/** @param byte which of the two status bytes, from 0 */
function failedCells(bits: number, byte: number): readonly string[] {
  return Array.from({ length: CELLS_PER_STATUS }, (_, bit) => bit)
    .filter((bit) => isSet(bits, bit))
    .map((bit) => `Cell ${byte * CELLS_PER_STATUS + bit + 1} failed`);
}
