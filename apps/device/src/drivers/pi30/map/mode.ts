import { type MetricValue, quantities } from '@heliograph/metrics';
import type { FieldRow } from '../../voltronic/fields.ts';
import { wordQuery } from '../../voltronic/query.ts';

export const QMOD = wordQuery('QMOD', /^[A-Z]$/);

/** The source of the load, by the letter of `QMOD` and `QPGSn`. */
export const MODES: Readonly<Record<string, string>> = {
  P: 'Power on',
  S: 'Standby',
  L: 'Grid',
  B: 'Battery',
  F: 'Fault',
  H: 'Power saving',
  Y: 'Bypass',
  D: 'Shutdown',
};

export function deviceMode(at: number): FieldRow {
  const read = (letter: string): MetricValue => MODES[letter] ?? `Unknown (${letter})`;
  return { at, quantity: quantities.state('Device mode'), read };
}

export const MODE_ROWS: readonly FieldRow[] = [deviceMode(0)];
