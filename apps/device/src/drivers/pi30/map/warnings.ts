import { type MetricValue, quantities } from '@heliograph/metrics';
import { NO_CONDITION } from '../../voltronic/conditions.ts';
import type { FieldRow } from '../../voltronic/fields.ts';
import { wordQuery } from '../../voltronic/query.ts';

/** One character a condition; 32 of them, on newer firmware 36, of which the last are not known. */
export const QPIWS = wordQuery('QPIWS', /^[01]{32,40}$/);

type Severity = 'fault' | 'warning' | 'fault with bit 1';

const INVERTER_FAULT = 1;

/** By the place of its character, counted from 0. Places 0, 13, 15, 30 and 31 are reserved. */
const CONDITIONS: Readonly<Record<number, readonly [text: string, severity: Severity]>> = {
  [INVERTER_FAULT]: ['Inverter fault', 'fault'],
  2: ['Bus over voltage', 'fault'],
  3: ['Bus under voltage', 'fault'],
  4: ['Bus soft start fail', 'fault'],
  5: ['Line fail', 'warning'],
  6: ['Output short', 'warning'],
  7: ['Inverter voltage too low', 'fault'],
  8: ['Inverter voltage too high', 'fault'],
  9: ['Over temperature', 'fault with bit 1'],
  10: ['Fan locked', 'fault with bit 1'],
  11: ['Battery voltage high', 'fault with bit 1'],
  12: ['Battery low alarm', 'warning'],
  14: ['Battery under shutdown', 'warning'],
  16: ['Overload', 'fault with bit 1'],
  17: ['EEPROM fault', 'warning'],
  18: ['Inverter over current', 'fault'],
  19: ['Inverter soft start fail', 'fault'],
  20: ['Self test fail', 'fault'],
  21: ['Output DC over voltage', 'fault'],
  22: ['Battery open', 'fault'],
  23: ['Current sensor fail', 'fault'],
  24: ['Battery short', 'fault'],
  25: ['Power limit', 'warning'],
  26: ['PV voltage high', 'warning'],
  27: ['MPPT overload fault', 'warning'],
  28: ['MPPT overload warning', 'warning'],
  29: ['Battery too low to charge', 'warning'],
};

function active(bits: string, wanted: 'fault' | 'warning'): MetricValue {
  const faulty = bits[INVERTER_FAULT] === '1';
  const texts = Object.entries(CONDITIONS).flatMap(([at, [text, severity]]) => {
    const now = severity === 'fault with bit 1' ? (faulty ? 'fault' : 'warning') : severity;
    return bits[Number(at)] === '1' && now === wanted ? [text] : [];
  });
  return texts.length === 0 ? NO_CONDITION : texts.join(', ');
}

export const WARNING_ROWS: readonly FieldRow[] = [
  { at: 0, quantity: quantities.state('Faults'), read: (bits) => active(bits, 'fault') },
  { at: 0, quantity: quantities.state('Warnings'), read: (bits) => active(bits, 'warning') },
];
