import { type MetricValue, type Quantity, quantities, roundTo } from '@heliograph/metrics';
import type { DecodedUnit, Unit } from '../driver.ts';
import { type Precision, withPrecision } from '../precision.ts';
import { BATTERY_FIELDS } from './battery-fields.ts';
import { identityOf, modelOf } from './identity.ts';
import { INVERTER_FIELDS } from './inverter-fields.ts';
import type { VeDirectFields } from './text-block.ts';
import type { VeDirectField } from './text-field.ts';

export const BATTERY_POWER = quantities.power('Battery power');
export const LOAD_POWER = quantities.power('Load power');
export const CHARGE_POWER = quantities.power('Charge power');
const POWER = quantities.power('Power');

/** Labels that battery monitors alone send. */
const MONITOR_LABELS = ['SOC', 'CE', 'TTG', 'BMV', 'H1', 'H6'];

/** One inverter or one battery, from the fields of a cycle or of part of one. */
export function readUnit(fields: VeDirectFields, precision: Precision = 'rounded'): DecodedUnit {
  const kind = kindOf(fields);
  const entries = fieldsOf(kind).flatMap(({ label, quantity, read }) => {
    const text = fields.get(label);
    return text === undefined ? [] : [[quantity, withPrecision(precision, quantity, read(text))] as const];
  });
  const values = new Map(entries.map(([quantity, value]) => [quantity.name, value]));
  const derived = kind === 'batteries' ? batteryPowers(values) : inverterPowers(values);
  const all = [...identityOf(fields), ...entries, ...derived];
  return {
    kind,
    model: modelOf(fields),
    quantities: all.map(([quantity]) => quantity),
    reading: new Map(all.map(([quantity, value]) => [quantity.name, value])),
  };
}

export function fieldsOf(kind: Unit['kind']): readonly VeDirectField[] {
  return kind === 'batteries' ? BATTERY_FIELDS : INVERTER_FIELDS;
}

function kindOf(fields: VeDirectFields): Unit['kind'] {
  return MONITOR_LABELS.some((label) => fields.has(label)) ? 'batteries' : 'inverters';
}

type Values = ReadonlyMap<string, MetricValue>;
type Derived = readonly (readonly [Quantity, MetricValue])[];

/** Monitors of the first generation do not send the power. */
function batteryPowers(values: Values): Derived {
  if (values.has('Power') || !values.has('Voltage') || !values.has('Current')) return [];
  return [[POWER, roundTo(POWER, product(values.get('Voltage'), values.get('Current')))]];
}

/**
 * A charger with a load output measures at the battery's terminals: it has no grid, so what the panels give and the
 * battery does not take is the load, the charger's own losses included. One without measures its own output, of which
 * it does not know how much the battery takes.
 */
function inverterPowers(values: Values): Derived {
  if (!values.has('Battery voltage') || !values.has('Battery current')) return [];
  const watts = product(values.get('Battery voltage'), values.get('Battery current'));
  const pv = values.get('PV power');
  const hasLoadOutput = values.has('Load output') || values.has('Load current');
  if (pv === undefined || !hasLoadOutput) return [[CHARGE_POWER, roundTo(CHARGE_POWER, watts)]];
  const terminals = roundTo(BATTERY_POWER, watts);
  if (typeof pv !== 'number' || typeof terminals !== 'number') {
    return [
      [BATTERY_POWER, terminals],
      [LOAD_POWER, null],
    ];
  }
  // PV power is sent in whole watts: by less than one of them the battery may seem to take more than there is.
  const battery = Math.min(terminals, pv);
  return [
    [BATTERY_POWER, battery],
    [LOAD_POWER, pv - battery],
  ];
}

function product(volts: MetricValue | undefined, amperes: MetricValue | undefined): MetricValue {
  return typeof volts === 'number' && typeof amperes === 'number' ? volts * amperes : null;
}
