import { type MetricValue, type Quantity, roundTo } from '@heliograph/metrics';
import type { Reading, Withheld } from '../driver.ts';
import { readExactly, readRow } from '../modbus/codec.ts';
import { factorOf } from '../modbus/numbers.ts';
import { isNumber, type RegisterRow } from '../modbus/row.ts';
import { type Precision, withPrecision } from '../precision.ts';
import type { RegisterValues } from '../registers.ts';
import { withCurrentOption } from '../unlisted-option.ts';
import type { CompiledCondition, CompiledProfile, CompiledReading, CompiledRow } from './compiled-profile.ts';

/** The readings and settings that one unit has. */
export interface UnitPlan {
  readonly model: string | null;
  readonly readings: readonly CompiledReading[];
  readonly settings: readonly RegisterRow[];
  /** By name, on what it depends that the unit has a reading or a setting. */
  readonly conditions: ReadonlyMap<string, CompiledCondition>;
}

export interface DecodedReading {
  readonly reading: Reading;
  readonly withheld: readonly Withheld[];
}

/** @param opened registers of the unit; what it does not hold is not planned */
export function planUnit(compiled: CompiledProfile, opened: RegisterValues): UnitPlan {
  const { model } = compiled;
  const code = model === undefined ? undefined : opened.get(model.address);
  const names = new Set<string>();
  const readings = compiled.readings.flatMap((reading): readonly CompiledReading[] => {
    const planned = reading.from === 'registers' ? bound(reading, opened) : reading;
    // Of several readings of one name the first that the hardware has counts.
    if (planned === undefined || names.has(reading.quantity.name)) return [];
    if (planned.from !== 'registers') {
      const has = planned.terms.filter(({ name }) => names.has(name));
      const lacks = planned.terms.some(({ name, optional }) => !optional && !names.has(name));
      if (lacks || has.length === 0) return [];
    }
    names.add(planned.quantity.name);
    return [planned];
  });
  const settings = compiled.settings.flatMap((setting) => bound(setting, opened) ?? []);
  return {
    model: (code === undefined ? undefined : model?.values[code]) ?? compiled.profile.title,
    readings,
    settings: settings.map(({ row }) => withPresentOption(row, opened)),
    conditions: new Map(
      [...readings, ...settings].flatMap((one) =>
        one.from === 'registers' && one.when !== undefined ? [[one.quantity.name, one.when] as const] : [],
      ),
    ),
  };
}

export function quantitiesOf({ readings, settings }: UnitPlan): readonly Quantity[] {
  return [...readings, ...settings].map(({ quantity }) => quantity);
}

/** Whether a condition that something depends on holds now and did not when the unit was opened. */
export function hasGrown(
  { readings, settings }: CompiledProfile,
  opened: RegisterValues,
  frame: RegisterValues,
): boolean {
  return [...readings, ...settings].some(
    (row) =>
      row.from === 'registers' &&
      row.when !== undefined &&
      holds(row.when, opened) === false &&
      holds(row.when, frame) === true,
  );
}

/** Whether something that the unit had when it was opened is gone. */
export function hasShrunk({ conditions }: UnitPlan, frame: RegisterValues): boolean {
  return [...conditions.values()].some((condition) => holds(condition, frame) === false);
}

/** Decodes a frame; what is gone or beyond its bounds is unknown, and so is what is computed from it. */
export function decodeFrame(
  { readings, settings, conditions }: UnitPlan,
  frame: RegisterValues,
  precision: Precision = 'rounded',
): DecodedReading {
  const isGone = (name: string): boolean => {
    const condition = conditions.get(name);
    return condition !== undefined && holds(condition, frame) === false;
  };
  const values = new Map<string, MetricValue>();
  const withheld: Withheld[] = [];
  for (const reading of readings) {
    const { name } = reading.quantity;
    const exact = isGone(name) ? null : readingValue(reading, values, frame);
    if (exact === undefined) continue;
    const value = withPrecision(precision, reading.quantity, exact);
    const isBelieved = typeof value !== 'number' || (value >= reading.min && value <= reading.max);
    if (!isBelieved) withheld.push({ name, value });
    values.set(name, isBelieved ? value : null);
  }
  for (const row of settings) {
    const { name } = row.quantity;
    const { setting } = row.quantity;
    const value = isGone(name) ? null : readRow(row, frame);
    if (value === undefined) continue;
    const isBelieved =
      typeof value !== 'number' ||
      setting?.kind !== 'number' ||
      (value >= setting.min && value <= setting.max);
    if (!isBelieved) withheld.push({ name, value });
    values.set(name, isBelieved ? value : null);
  }
  return { reading: values, withheld };
}

/** @returns whether the register fulfils it; undefined when the frame does not hold it */
export function holds(
  { address, mask, is, from, to }: CompiledCondition,
  frame: RegisterValues,
): boolean | undefined {
  const content = frame.get(address);
  if (content === undefined) return undefined;
  const masked = content & mask;
  return is === undefined ? masked >= from && masked <= to : is.includes(masked);
}

/** The row as this unit has it; undefined when it has none. */
function bound<Row extends CompiledRow>(compiled: Row, opened: RegisterValues): Row | undefined {
  const { row, when } = compiled;
  const isThere = row.registers.every((register) => opened.has(register));
  if (!isThere || (when !== undefined && holds(when, opened) === false)) return undefined;
  const scaleBy = isNumber(row) ? row.scaleBy : undefined;
  const hasScale = factorOf(scaleBy, scaleBy && opened.get(scaleBy.register)) !== undefined;
  return hasScale ? compiled : undefined;
}

/** The row of a setting with its present value among its options. */
function withPresentOption(row: RegisterRow, opened: RegisterValues): RegisterRow {
  return { ...row, quantity: withCurrentOption(row.quantity, readRow(row, opened)) };
}

function readingValue(
  reading: CompiledReading,
  values: ReadonlyMap<string, MetricValue>,
  frame: RegisterValues,
): MetricValue | undefined {
  if (reading.from === 'registers') return registerValue(reading, frame);
  const terms = reading.terms.filter(({ name, optional }) => !optional || values.has(name));
  const parts = terms.map(({ name, sign }) => {
    const value = values.get(name);
    return typeof value === 'number' ? sign * value : value;
  });
  if (parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => typeof part === 'number');
  if (known.length < parts.length) return null;
  if (reading.from === 'sum') return known.reduce((total, part) => total + part, 0);
  // A product has digits that nothing measured.
  return roundTo(
    reading.quantity,
    known.reduce((total, part) => total * part, 1),
  );
}

function registerValue(
  { row, direction, whenNoValue }: CompiledRow,
  frame: RegisterValues,
): MetricValue | undefined {
  const read = readExactly(row, frame);
  const amount = read === null ? (whenNoValue ?? null) : read;
  if (direction === undefined) return amount;
  const flags = frame.get(direction.address);
  if (flags === undefined || amount === undefined) return undefined;
  if (typeof amount !== 'number') return amount;
  const sign = (flags & direction.mask) === 0 ? -direction.sign : direction.sign;
  return Math.abs(amount) * sign || 0;
}
