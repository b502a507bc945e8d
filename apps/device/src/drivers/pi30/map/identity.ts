import { type MetricValue, quantities } from '@heliograph/metrics';
import type { FieldRow } from '../../voltronic/fields.ts';
import { wordQuery } from '../../voltronic/query.ts';

export const PROTOCOL = 'PI30';

/** The protocol; related ones (PI16, PI17, PI18, PI41) answer too, with their own name. */
export const QPI = wordQuery('QPI', /^PI\d+$/);
export const QID = wordQuery('QID', /^[0-9A-Z]{8,20}$/i);
export const QVFW = wordQuery('QVFW', /^VERFW:[\d.]+$/);
export const QMN = wordQuery('QMN', /^[0-9A-Z+ ]+-[0-9A-Z]+$/i);
/** A model's number, by which models with other numbers of a setting are recognised. */
export const QGMN = wordQuery('QGMN', /^\d{3}$/);

const LIST = /^\d{2,3}( \d{2,3})* ?$/;

/** The charge currents that can be chosen, in A. */
export const QMCHGCR = wordQuery('QMCHGCR', LIST);
/** Those from the grid. */
export const QMUCHGCR = wordQuery('QMUCHGCR', LIST);

export function currentsIn(list: string): readonly number[] {
  return list
    .trimEnd()
    .split(' ')
    .map(Number)
    .filter((amps) => amps > 0);
}

const text = (name: string, read: (word: string) => MetricValue = (word) => word): readonly FieldRow[] => [
  { at: 0, quantity: quantities.info(name), read },
];

export const PROTOCOL_ROWS = text('Protocol');
export const SERIAL_ROWS = text('Serial number');
export const FIRMWARE_ROWS = text('Firmware version', (word) => word.slice('VERFW:'.length));
export const MODEL_ROWS = text('Model name');

/** Lists as texts: the rule of a number has no place for what stands between its bounds. */
const list = (word: string): MetricValue => currentsIn(word).join(', ');
export const CHARGE_CURRENT_ROWS = text('Max charge current options', list);
export const GRID_CHARGE_CURRENT_ROWS = text('Max grid charge current options', list);
