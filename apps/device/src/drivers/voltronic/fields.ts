import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';

/** The fields of an answer, counted from 0. */
export type AnswerFields = readonly string[];

/** One field of an answer and its quantity. */
export interface FieldRow {
  readonly at: number;
  readonly quantity: Quantity;
  /** Null where the field means "no value", such as `-`. */
  readonly read: (text: string) => MetricValue;
  readonly remark?: string;
}

const DECIMAL = /^[-+]?\d+(\.\d+)?$/;
const CODE = /^\d+(\.0+)?$/;

/** Null for a field that is not there, or holds no number. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && DECIMAL.test(text) ? Number(text) : null;
}

/** The label of a code; an unknown code is shown by its number. */
export function labelIn(text: string | undefined, labels: Readonly<Record<string, string>>): string | null {
  if (text === undefined || !CODE.test(text)) return null;
  return labels[String(Number(text))] ?? `Unknown (${Number(text)})`;
}

export function measured(at: number, quantity: Quantity, remark?: string): FieldRow {
  const read = (text: string): MetricValue => numberIn(text);
  return { at, quantity, read, ...(remark === undefined ? {} : { remark }) };
}

/** @param perUnit how many of the field are one of the quantity's unit */
export function scaled(at: number, quantity: Quantity, perUnit: 10 | 100, remark?: string): FieldRow {
  const read = (text: string): MetricValue => {
    const value = numberIn(text);
    return value === null ? null : value / perUnit;
  };
  return { at, quantity, read, ...(remark === undefined ? {} : { remark }) };
}

/** A temperature; 0 is also what is reported where there is no sensor. */
export function sensorTemperature(at: number, name: string): FieldRow {
  const read = (text: string): MetricValue => numberIn(text) || null;
  return {
    at,
    quantity: quantities.temperature(name),
    read,
    remark: 'unknown at 0, which stands for no sensor',
  };
}

export function labelled(
  at: number,
  quantity: Quantity,
  labels: Readonly<Record<string, string>>,
  remark?: string,
): FieldRow {
  const read = (text: string): MetricValue => labelIn(text, labels);
  return { at, quantity, read, ...(remark === undefined ? {} : { remark }) };
}

/** The values of an answer: fields that it does not have, or that are empty, are left out. */
export function readRows(rows: readonly FieldRow[], fields: AnswerFields): readonly Entry[] {
  return rows.flatMap(({ at, quantity, read }) => {
    const text = fields[at];
    return text === undefined || text === '' ? [] : [[quantity, read(text)] as const];
  });
}
