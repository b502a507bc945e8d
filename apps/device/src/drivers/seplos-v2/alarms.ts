import { AnswerReader } from '../answer-reader.ts';
import { limitFaults } from '../ascii-frame/limit-faults.ts';
import { alarmText, BATTERY, onOff } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { type FlagLabels, flagLabels, isSet } from '../flag-labels.ts';
import { BadFrame } from '../frame-errors.ts';

/** Bits of the six alarm bytes, and of two more behind the states. */
const ALARMS: readonly FlagLabels[] = [
  [
    'Voltage sensing failed',
    'Temperature sensing failed',
    'Current sensing failed',
    'Power switch failed',
    'Cell voltage difference sensing failed',
    'Charge switch failed',
    'Discharge switch failed',
    'Current limit switch failed',
  ],
  [
    'Cell over voltage warning',
    'Cell over voltage protection',
    'Cell under voltage warning',
    'Cell under voltage protection',
    'Battery over voltage warning',
    'Battery over voltage protection',
    'Battery under voltage warning',
    'Battery under voltage protection',
  ],
  [
    'Charge over temperature warning',
    'Charge over temperature protection',
    'Charge under temperature warning',
    'Charge under temperature protection',
    'Discharge over temperature warning',
    'Discharge over temperature protection',
    'Discharge under temperature warning',
    'Discharge under temperature protection',
  ],
  [
    'Ambient over temperature warning',
    'Ambient over temperature protection',
    'Ambient under temperature warning',
    'Ambient under temperature protection',
    'MOSFET over temperature warning',
    'MOSFET over temperature protection',
    // Heating, which is no alarm.
    null,
    null,
  ],
  [
    'Charge over current warning',
    'Charge over current protection',
    'Discharge over current warning',
    'Discharge over current protection',
    'Transient over current protection',
    'Short circuit protection',
    'Transient over current lock',
    'Short circuit lock',
  ],
  [
    'Charge over voltage protection',
    // Waiting for the next supplementary charge.
    null,
    'Low charge warning',
    'Low charge protection',
    'Charging forbidden at low cell voltage',
    'Output reverse connection protection',
    'Output connection failed',
    null,
  ],
];

const SELF_TEST: FlagLabels = [
  'EEPROM failed',
  'Clock failed',
  'No voltage calibration',
  'No current calibration',
  'No zero calibration',
  null,
  null,
  null,
];

/** Bits of the power status that are on or off. */
export const SWITCHES = [
  { bit: 1, quantity: BATTERY.chargeMosfet },
  { bit: 0, quantity: BATTERY.dischargeMosfet },
  { bit: 3, quantity: BATTERY.heater },
] as const;

/** Bits of the system status, the first that is set counts. */
const CHARGE_STATES = [
  { bit: 2, text: 'Float charging' },
  { bit: 1, text: 'Charging' },
  { bit: 0, text: 'Discharging' },
  { bit: 4, text: 'Standby' },
  { bit: 5, text: 'Off' },
] as const;

/** Bytes behind the count of status bytes. */
const STATUS_BYTES = 20;

/**
 * The answer to 44H: DATAFLAG 1, group 1; M, M bytes of cells; T, T bytes of temperatures; a byte each of current and
 * voltage; N, N status bytes.
 *
 * @throws BadFrame
 */
export function parseAlarms(info: Uint8Array): readonly Entry[] {
  const reader = new AnswerReader(info);
  reader.takeMany(2, 'u8');
  const cells = reader.takeMany(reader.take('u8'), 'u8');
  const sensors = reader.takeMany(reader.take('u8'), 'u8');
  const [current, voltage] = reader.takeMany(2, 'u8');
  const count = reader.take('u8');
  if (count !== STATUS_BYTES)
    throw new BadFrame(`the answer holds ${count} status bytes instead of ${STATUS_BYTES}`);
  const alarmBytes = reader.takeMany(ALARMS.length, 'u8');
  const power = reader.take('u8');
  const balancing = reader.take('u16');
  const system = reader.take('u8');
  const disconnected = reader.take('u16');
  const [, selfTest = 0] = reader.takeMany(2, 'u8');
  const RESERVED = 6;
  reader.takeMany(RESERVED, 'u8');
  reader.end();
  const alarms = [
    ...cells.flatMap((value, index) => limitFaults(`Cell ${index + 1}`, value)),
    ...sensors.flatMap((value, index) => limitFaults(`Temperature sensor ${index + 1}`, value)),
    ...limitFaults('Current', current),
    ...limitFaults('Voltage', voltage),
    ...alarmBytes.flatMap((byte, index) => flagLabels(byte, ALARMS[index] ?? [])),
    ...flagLabels(disconnected, [], (cell) => `Cell ${cell + 1} disconnected`),
    ...flagLabels(selfTest, SELF_TEST),
  ];
  return [
    [BATTERY.alarms, alarmText(alarms)],
    [BATTERY.chargeState, CHARGE_STATES.find(({ bit }) => isSet(system, bit))?.text ?? 'Idle'],
    ...SWITCHES.map(({ bit, quantity }): Entry => [quantity, onOff(isSet(power, bit))]),
    [BATTERY.balancer, onOff(balancing !== 0)],
  ];
}
