import { type Quantity, quantities } from '@heliograph/metrics';
import { AnswerReader, type NumberField } from '../answer-reader.ts';
import { BATTERY } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { ZERO_CELSIUS } from '../kelvin.ts';
import type { ModuleAnswer } from './analog.ts';

const { state } = quantities;

/** How limits are written: in mV, in 0.1 A with our sign, in tenths of a kelvin. */
const WRITTEN = {
  V: { type: 'u16', scale: 0.001 },
  A: { type: 's16', scale: 0.1 },
  '°C': { type: 'u16', scale: 0.1, offset: ZERO_CELSIUS },
} as const;

type LimitUnit = keyof typeof WRITTEN;

const CLASSES = {
  V: { decimals: 3, deviceClass: 'voltage' },
  A: { decimals: 1, deviceClass: 'current' },
  '°C': { decimals: 1, deviceClass: 'temperature' },
} as const;

function threshold(name: string, unit: LimitUnit): NumberField {
  return { quantity: { name, group: 'Info', unit, ...CLASSES[unit] }, ...WRITTEN[unit] };
}

/** 92H: the present limits for the inverter. */
export const MANAGEMENT: readonly NumberField[] = [
  { quantity: BATTERY.chargeVoltageLimit, ...WRITTEN.V },
  { quantity: BATTERY.dischargeVoltageLimit, ...WRITTEN.V },
  { quantity: BATTERY.chargeCurrentLimit, ...WRITTEN.A },
  { quantity: BATTERY.dischargeCurrentLimit, ...WRITTEN.A },
];

/** Bits of the last byte of 92H. */
export const MANAGEMENT_FLAGS: readonly { readonly bit: number; readonly quantity: Quantity }[] = [
  { bit: 7, quantity: state('Charge allowed') },
  { bit: 6, quantity: state('Discharge allowed') },
  { bit: 5, quantity: state('Charge immediately 1') },
  { bit: 4, quantity: state('Charge immediately 2') },
  { bit: 3, quantity: state('Full charge request') },
];

/** 47H: the thresholds of the battery's own protection; fixed by its firmware. */
export const SYSTEM_PARAMETERS: readonly NumberField[] = [
  threshold('Cell high voltage limit', 'V'),
  threshold('Cell low voltage limit', 'V'),
  threshold('Cell under voltage limit', 'V'),
  threshold('Charge high temperature limit', '°C'),
  threshold('Charge low temperature limit', '°C'),
  threshold('Maximum charge current', 'A'),
  threshold('Module high voltage limit', 'V'),
  threshold('Module low voltage limit', 'V'),
  threshold('Module under voltage limit', 'V'),
  threshold('Discharge high temperature limit', '°C'),
  threshold('Discharge low temperature limit', '°C'),
  threshold('Maximum discharge current', 'A'),
];

/**
 * The answer to 92H: address 1, the limits, a byte of flags.
 *
 * @throws BadFrame
 */
export function parseManagement(info: Uint8Array, address: number): ModuleAnswer {
  const reader = new AnswerReader(info);
  const answering = reader.take('u8');
  if (answering !== address) throw new BadFrame(`battery ${answering} answered in place of ${address}`);
  const limits = reader.takeFields(MANAGEMENT);
  const flags = reader.take('u8');
  reader.end();
  return {
    address,
    entries: [
      ...limits,
      ...MANAGEMENT_FLAGS.map(({ bit, quantity }): Entry => [quantity, (flags >> bit) & 1 ? 'Yes' : 'No']),
    ],
  };
}

/**
 * The answer to 47H: INFOFLAG 1, the limits.
 *
 * @param address of the request: the answer's INFO does not repeat it
 * @throws BadFrame
 */
export function parseSystemParameters(info: Uint8Array, address: number): ModuleAnswer {
  const reader = new AnswerReader(info);
  reader.take('u8');
  const entries = reader.takeFields(SYSTEM_PARAMETERS);
  reader.end();
  return { address, entries };
}
