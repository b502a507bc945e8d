import { AnswerReader } from '../answer-reader.ts';
import { limitFaults } from '../ascii-frame/limit-faults.ts';
import { alarmText, BATTERY, onOff } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { type FlagLabels, flagLabels, isSet } from '../flag-labels.ts';
import { takeAddress } from './telemetry.ts';

const PROTECTIONS: readonly [FlagLabels, FlagLabels] = [
  [
    'Cell over voltage protection',
    'Cell under voltage protection',
    'Battery over voltage protection',
    'Battery under voltage protection',
    'Charge over current protection',
    'Discharge over current protection',
    'Short circuit protection',
    // Some name it the over voltage of the charger.
    'Charge over voltage protection',
  ],
  [
    'Charge over temperature protection',
    'Discharge over temperature protection',
    'Charge under temperature protection',
    'Discharge under temperature protection',
    'MOSFET over temperature protection',
    'Ambient over temperature protection',
    'Ambient under temperature protection',
    // Full, which is no alarm.
    null,
  ],
];
const FULL_BIT = 7;

const FAULTS: FlagLabels = [
  'Charge MOSFET failed',
  'Discharge MOSFET failed',
  'Temperature sensor failed',
  null,
  'Cell failed',
  'Sampling failed',
];

const WARNINGS: readonly [FlagLabels, FlagLabels] = [
  [
    'Cell over voltage warning',
    'Cell under voltage warning',
    'Battery over voltage warning',
    'Battery under voltage warning',
    'Charge over current warning',
    'Discharge over current warning',
  ],
  [
    'Charge over temperature warning',
    'Discharge over temperature warning',
    'Charge under temperature warning',
    'Discharge under temperature warning',
    'Ambient over temperature warning',
    'Ambient under temperature warning',
    'MOSFET over temperature warning',
    'Low charge warning',
  ],
];

/** Of the system status. */
const REVERSED_BIT = 4;
const CHARGING_BIT = 5;
const DISCHARGING_BIT = 3;
export const SWITCHES = [
  { bit: 1, quantity: BATTERY.chargeMosfet },
  { bit: 2, quantity: BATTERY.dischargeMosfet },
] as const;

/**
 * The answer to 44H: INFOFLAG 1, address 1; M, M bytes of cells; T, T bytes of temperatures; a byte each of charge
 * current, voltage and discharge current; protections 2, system 1, configuration 1, faults 1, balancing cells 2,
 * warnings 2.
 *
 * @throws BadFrame
 */
export function parseAlarms(info: Uint8Array, address: number): readonly Entry[] {
  const reader = new AnswerReader(info);
  takeAddress(reader, address);
  const cells = reader.takeMany(reader.take('u8'), 'u8');
  const sensors = reader.takeMany(reader.take('u8'), 'u8');
  const [chargeCurrent, voltage, dischargeCurrent] = reader.takeMany(3, 'u8');
  const [protection1 = 0, protection2 = 0, system = 0, , faults = 0] = reader.takeMany(5, 'u8');
  const balancing = reader.take('u16');
  const [warning1 = 0, warning2 = 0] = reader.takeMany(2, 'u8');
  reader.end();
  const alarms = [
    ...cells.flatMap((value, index) => limitFaults(`Cell ${index + 1}`, value)),
    ...sensors.flatMap((value, index) => limitFaults(`Temperature sensor ${index + 1}`, value)),
    ...limitFaults('Charge current', chargeCurrent),
    ...limitFaults('Voltage', voltage),
    ...limitFaults('Discharge current', dischargeCurrent),
    ...flagLabels(protection1, PROTECTIONS[0]),
    ...flagLabels(protection2, PROTECTIONS[1]),
    ...(isSet(system, REVERSED_BIT) ? ['Terminals reversed'] : []),
    ...flagLabels(faults, FAULTS, (bit) => `Fault ${bit}`),
    ...flagLabels(warning1, WARNINGS[0], (bit) => `Warning ${bit}`),
    ...flagLabels(warning2, WARNINGS[1]),
  ];
  return [
    [BATTERY.alarms, alarmText(alarms)],
    [BATTERY.chargeState, chargeState(system, isSet(protection2, FULL_BIT))],
    ...SWITCHES.map(({ bit, quantity }): Entry => [quantity, onOff(isSet(system, bit))]),
    [BATTERY.balancer, onOff(balancing !== 0)],
  ];
}

function chargeState(system: number, isFull: boolean): string {
  if (isSet(system, CHARGING_BIT)) return 'Charging';
  if (isSet(system, DISCHARGING_BIT)) return 'Discharging';
  return isFull ? 'Full' : 'Idle';
}
