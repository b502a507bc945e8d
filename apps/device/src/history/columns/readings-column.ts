import { ByteReader, ByteWriter, DamagedColumn, unzigzag, zigzag } from './byte-column.ts';
import { factorOf } from './scale.ts';

/*
 * Two kinds of column hold the readings of some snapshots:
 *
 *   times      interval, interval, ...            milliseconds between one snapshot and the next
 *   values     decimals, token, token, ...        one topic's values at those snapshots, where a token is
 *                0, n         n + 1 values like the one before (at the beginning: 0)
 *                1, n         n + 1 snapshots without a value
 *                t >= 2       one value that differs by the number whose zigzag is t - 1
 *
 * Nothing is written for snapshots at the end that have no value.
 */

/** More than a minute has: a damaged run would fill the memory. */
const MAX_VALUES = 100_000;

const SAME = 0;
const ABSENT = 1;

/** @param times milliseconds, rising */
export function encodeTimes(times: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  for (let i = 1; i < times.length; i++) writer.unsigned((times[i] ?? 0) - (times[i - 1] ?? 0));
  return writer.bytes();
}

/** @param start the first of the times, in milliseconds */
export function decodeTimes(bytes: Uint8Array, start: number): number[] {
  const reader = new ByteReader(bytes);
  const times = [start];
  for (let time = start; !reader.ended; ) {
    time += reader.unsigned();
    times.push(time);
  }
  return times;
}

/** @param values by snapshot; NaN where there is none */
export function encodeValues(values: readonly number[], decimals: number): Uint8Array {
  const factor = factorOf(decimals);
  const writer = new ByteWriter();
  writer.unsigned(decimals);
  let before = 0;
  let kind = SAME;
  let run = 0;
  const endRun = (): void => {
    if (run === 0) return;
    writer.unsigned(kind);
    writer.unsigned(run - 1);
    run = 0;
  };
  for (const value of values) {
    const scaled = Math.round(value * factor);
    const next = Number.isNaN(value) ? ABSENT : SAME;
    if (next === SAME && scaled !== before) {
      endRun();
      writer.unsigned(zigzag(scaled - before) + 1);
      before = scaled;
      continue;
    }
    if (next !== kind) endRun();
    kind = next;
    run++;
  }
  if (kind === SAME) endRun();
  return writer.bytes();
}

/**
 * @returns by snapshot; NaN, or nothing at the end, where there is no value
 * @throws DamagedColumn for bytes that are cut off, or are no column
 */
export function decodeValues(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const factor = factorOf(reader.unsigned());
  const values: number[] = [];
  let scaled = 0;
  while (!reader.ended) {
    const token = reader.unsigned();
    if (token > ABSENT) {
      scaled += unzigzag(token - 1);
      values.push(scaled / factor);
      continue;
    }
    const value = token === SAME ? scaled / factor : Number.NaN;
    const run = reader.unsigned();
    if (values.length + run > MAX_VALUES) throw new DamagedColumn('the column has too many values');
    for (let i = 0; i <= run; i++) values.push(value);
  }
  return values;
}
