import { type Quantity, quantities } from '@heliograph/metrics';
import { type InfoField, InfoReader, ZERO_CELSIUS } from '../ascii-frame/info-reader.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import type { ModuleAnswer } from './analog.ts';

const { state } = quantities;

type LimitUnit = 'V' | 'A' | '°C';

/** How limits are written: in mV, in 0.1 A with our sign, in tenths of a kelvin. */
const WRITTEN = {
  V: { type: 'u16', scale: 0.001, decimals: 3, deviceClass: 'voltage' },
  A: { type: 's16', scale: 0.1, decimals: 1, deviceClass: 'current' },
  '°C': { type: 'u16', scale: 0.1, decimals: 1, offset: ZERO_CELSIUS, deviceClass: 'temperature' },
} as const;

function limit(group: 'Status' | 'Info', name: string, unit: LimitUnit): InfoField {
  const { decimals, deviceClass, ...field } = WRITTEN[unit];
  return { quantity: { name, group, unit, decimals, deviceClass }, ...field };
}

/** 92H: the present limits for the inverter. Discharge is negative, as the current is. */
export const MANAGEMENT: readonly InfoField[] = [
  limit('Status', 'Charge voltage limit', 'V'),
  limit('Status', 'Discharge voltage limit', 'V'),
  limit('Status', 'Charge current limit', 'A'),
  limit('Status', 'Discharge current limit', 'A'),
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
export const SYSTEM_PARAMETERS: readonly InfoField[] = [
  limit('Info', 'Cell high voltage limit', 'V'),
  limit('Info', 'Cell low voltage limit', 'V'),
  limit('Info', 'Cell under voltage limit', 'V'),
  limit('Info', 'Charge high temperature limit', '°C'),
  limit('Info', 'Charge low temperature limit', '°C'),
  limit('Info', 'Maximum charge current', 'A'),
  limit('Info', 'Module high voltage limit', 'V'),
  limit('Info', 'Module low voltage limit', 'V'),
  limit('Info', 'Module under voltage limit', 'V'),
  limit('Info', 'Discharge high temperature limit', '°C'),
  limit('Info', 'Discharge low temperature limit', '°C'),
  limit('Info', 'Maximum discharge current', 'A'),
];

/**
 * The answer to 92H: address 1, the limits, a byte of flags.
 *
 * @throws BadFrame
 */
export function parseManagement(info: Uint8Array, address: number): ModuleAnswer {
  const reader = new InfoReader(info);
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
  const reader = new InfoReader(info);
  reader.take('u8');
  const entries = reader.takeFields(SYSTEM_PARAMETERS);
  reader.end();
  return { address, entries };
}
