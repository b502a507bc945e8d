import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, bucketOf } from './columns/bucket.ts';
import { decodeBuckets, encodeBuckets } from './columns/buckets-column.ts';
import { ByteReader, ByteWriter } from './columns/byte-column.ts';
import { decodeTimes, decodeValues, encodeTimes, encodeValues } from './columns/readings-column.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Values of a topic as its quantity rounds them, and its decimals. */
const measured = fc.integer({ min: 0, max: 3 }).chain((decimals) =>
  fc.tuple(
    fc.constant(decimals),
    fc.array(
      fc.oneof(
        fc.constant(Number.NaN),
        fc.integer({ min: -3, max: 3 }).map((n) => n / 10 ** decimals),
        fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((n) => n / 10 ** decimals),
      ),
      { maxLength: 60 },
    ),
  ),
);

describe('a column of readings', () => {
  it('the column is encoded in these bytes', () => {
    // No decimals; 5; twice more; 4; three snapshots without; 4; what is missing at the end is not written.
    const values = [5, 5, 5, 4, Number.NaN, Number.NaN, Number.NaN, 4, Number.NaN];
    expect(hex(encodeValues(values, 0))).toBe('000b0001020102' + '0000');
    // 51.2 V with one decimal is 512: zigzag 1024, and one more, is 0x81 0x08.
    expect(hex(encodeValues([51.2], 1))).toBe('018108');
    expect(hex(encodeTimes([1000, 3000, 5001]))).toBe('d00fd10f');
  });

  it('any column is decoded as it was', () => {
    fc.assert(
      fc.property(measured, ([decimals, values]) => {
        const end = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
        expect(decodeValues(encodeValues(values, decimals))).toEqual(values.slice(0, end));
      }),
    );
  });

  it('any times are decoded as they were', () => {
    const intervals = fc.array(fc.integer({ min: 1, max: 10 ** 7 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), intervals, (start, steps) => {
        const times = [start];
        for (const step of steps) times.push((times.at(-1) ?? 0) + step);
        expect(decodeTimes(encodeTimes(times), start)).toEqual(times);
      }),
    );
  });

  it('a truncated column is refused, or shorter; never another', () => {
    const whole = encodeValues([70_000, 70_000, 70_001, Number.NaN, 5], 0);
    const values = decodeValues(whole);
    for (let length = 1; length < whole.length; length++) {
      let part: number[] = [];
      try {
        part = decodeValues(whole.subarray(0, length));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(part).toEqual(values.slice(0, part.length));
    }
  });
});

const bucketsOf = (decimals: number, values: readonly number[]): (Bucket | undefined)[] =>
  values.map((value, i) => {
    if (Number.isNaN(value)) return undefined;
    const bucket = bucketOf(value);
    const other = values[(i * 7 + 3) % values.length] ?? value;
    if (Number.isNaN(other)) return bucket;
    const scaled = (n: number) => Math.round(n * 10 ** decimals) / 10 ** decimals;
    return {
      count: 1 + i,
      sum: scaled(Math.min(value, other) * i + Math.max(value, other)),
      min: Math.min(value, other),
      max: Math.max(value, other),
      last: value,
    };
  });

describe('a column of buckets', () => {
  it('the column is encoded in these bytes', () => {
    const steady: Bucket = { count: 150, sum: 150 * 512, min: 512, max: 512, last: 512 };
    const moving: Bucket = { count: 150, sum: 150 * 512 + 300, min: 512, max: 515, last: 513 };
    // No decimals; 150 readings, min 512, no range; the same and nothing more; none; 150 more, range 3, sum, last.
    expect(hex(encodeBuckets([steady, steady, undefined, moving, undefined], 0))).toBe(
      '00' + 'ac02800800' + '000000' + 'ab02' + 'ac020003ac0201',
    );
  });

  it('any column is decoded as it was', () => {
    fc.assert(
      fc.property(measured, ([decimals, values]) => {
        const buckets = bucketsOf(decimals, values);
        const end = buckets.findLastIndex((bucket) => bucket !== undefined) + 1;
        const decoded = decodeBuckets(encodeBuckets(buckets, decimals));
        expect(decoded).toHaveLength(end);
        for (const [i, bucket] of decoded.entries()) {
          const { sum, ...rest } = buckets[i] ?? { sum: 0 };
          if (bucket === undefined) expect(buckets[i]).toBeUndefined();
          else {
            expect(bucket).toMatchObject(rest);
            expect(Math.abs(bucket.sum - sum)).toBeLessThanOrEqual(Math.abs(sum) * 1e-12 + 1e-9);
          }
        }
      }),
    );
  });
});

it('whole numbers of any size are decoded as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      const writer = new ByteWriter();
      const half = (n: number) => Math.trunc(n / 2);
      for (const number of numbers) {
        writer.unsigned(Math.abs(number));
        writer.signed(half(number));
      }
      const reader = new ByteReader(writer.bytes());
      const read = numbers.map(() => [reader.unsigned(), reader.signed()]);
      expect(read).toEqual(numbers.map((number) => [Math.abs(number), half(number) + 0]));
      expect(reader.ended).toBe(true);
    }),
  );
});
