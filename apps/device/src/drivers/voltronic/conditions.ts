import { type MetricValue, quantities } from '@heliograph/metrics';
import type { FieldRow } from './fields.ts';

/** The text of no fault and of no warning. */
export const NO_CONDITION = 'None';

/** The texts of the places that hold a 1. */
export function conditionsIn(bits: string, texts: readonly string[]): string {
  const active = texts.filter((_text, at) => bits[at] === '1');
  return active.length === 0 ? NO_CONDITION : active.join(', ');
}

/** The fault that stopped an inverter, by its two digits. */
export const FAULT_CODES: Readonly<Record<string, string>> = {
  '00': NO_CONDITION,
  '01': 'Fan locked',
  '02': 'Over temperature',
  '03': 'Battery voltage high',
  '04': 'Battery voltage low',
  '05': 'Output short or over temperature',
  '06': 'Output voltage high',
  '07': 'Overload time out',
  '08': 'Bus voltage high',
  '09': 'Bus soft start failed',
  '11': 'Main relay failed',
  '51': 'Over current',
  '52': 'Bus soft start failed or bus voltage low',
  '53': 'Inverter soft start failed',
  '54': 'Self test failed',
  '55': 'DC over voltage on output',
  '56': 'Battery open',
  '57': 'Current sensor failed',
  '58': 'Output voltage low',
  '60': 'Power feedback',
  '71': 'Firmware versions differ',
  '72': 'Current sharing fault',
  '80': 'CAN fault',
  '81': 'Host line lost',
  '82': 'Sync signal lost',
  '83': 'Battery voltages differ',
  '84': 'Grid inputs differ',
  '85': 'Current unbalanced',
  '86': 'Output settings differ',
};

/** @param codes the texts of a protocol, by two digits */
export function faultCode(at: number, codes: Readonly<Record<string, string>> = FAULT_CODES): FieldRow {
  const read = (code: string): MetricValue => codes[code] ?? `Unknown (${code})`;
  return { at, quantity: quantities.state('Faults'), read };
}
