import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, decodeExactly, encode, readExactly, readRow } from './codec.ts';
import type { NumberLayout, RegisterField, RegisterRow, RowLayout } from './row.ts';

const fieldOf = (layout: RowLayout, length = 1): RegisterField => ({
  registers: Array.from({ length }, (_, index) => 10 + index),
  ...layout,
});

const rowOf = (layout: RowLayout, quantity: Quantity): RegisterRow => ({ ...fieldOf(layout), quantity });

const NUMBERS: readonly (readonly [NumberLayout, registers: readonly number[], value: number | null])[] = [
  [{ type: 'u16' }, [0], 0],
  [{ type: 'u16' }, [0xfffe], 65_534],
  [{ type: 'u16' }, [0xffff], null],
  [{ type: 'u16', noValue: [0] }, [0xffff], 65_535],
  [{ type: 'u16', noValue: [0, 0xfffe] }, [0xfffe], null],
  [{ type: 'u16', scale: 0.1 }, [3], 0.3],
  [{ type: 'u16', scale: 0.01 }, [16_389], 163.89],
  [{ type: 'u16', scale: 10 }, [7], 70],
  [{ type: 'u16', scale: 0.1, zero: 1000 }, [1253], 25.3],
  [{ type: 'u16', scale: 0.1, zero: 1000 }, [747], -25.3],
  [{ type: 'u16', mask: 0x0ff0 }, [0x1234], 0x23],
  [{ type: 's16' }, [0xffff], -1],
  [{ type: 's16' }, [0x8000], -32_768],
  [{ type: 's16', opposite: true }, [0xff9c], 100],
  [{ type: 's16', noValue: [0x7fff, 0x8000] }, [0x7fff], null],
  [{ type: 's16', noValue: [0x7fff, 0x8000] }, [0x8000], null],
  [{ type: 's16', scale: 10, unlimited: true }, [0xffff], -1],
  [{ type: 's16', scale: 10, unlimited: true }, [0xfff6], -1],
  [{ type: 's16', scale: 10, unlimited: true }, [0], null],
  [{ type: 's16', unlimited: true }, [0], 0],
  [{ type: 's16', scale: 10, unlimited: true }, [250], 2500],
  [{ type: 'u32' }, [2, 1], 65_538],
  [{ type: 'u32' }, [0xffff, 0xffff], null],
  [{ type: 'u32' }, [0xfffe, 0xffff], 4_294_967_294],
  [{ type: 'u32', noValue: [0] }, [0, 0], null],
  [{ type: 's32' }, [0xfffe, 0xffff], -2],
  [{ type: 's32' }, [0xffff, 0x7fff], 2_147_483_647],
  [{ type: 's32', noValue: [0x7fff_ffff] }, [0xffff, 0x7fff], null],
  [{ type: 's32', scale: 0.001 }, [0xfb2e, 0xffff], -1.234],
  [{ type: 'u64' }, [4, 3, 2, 1], 281_483_566_841_860],
  [{ type: 'u64' }, [0xffff, 0xffff, 0xffff, 0xffff], null],
  [{ type: 'u64', noValue: [0] }, [0, 0, 0, 0], null],
  [{ type: 'f32' }, [0, 0x3fc0], 1.5],
  [{ type: 'f32' }, [0, 0xbf80], -1],
  [{ type: 'f32' }, [0, 0x7fc0], null],
  [{ type: 'f32' }, [0, 0x7f80], null],
  [{ type: 's16 extended' }, [0xfe0c], -500],
  [{ type: 's16 extended' }, [0x86a0, 1], 100_000],
  [{ type: 's16 extended' }, [0xfe0c, 0], -500],
  [{ type: 's16 extended' }, [0x7960, 0xfffe], -100_000],
];

const label = ([layout, registers, value]: (typeof NUMBERS)[number]) =>
  [
    JSON.stringify(layout),
    registers.map((word) => word.toString(16)).join(' '),
    value,
    layout,
    registers,
  ] as const;

describe('numbers in registers', () => {
  it.each(NUMBERS.map(label))('%s of %s is %j', (_layout, _contents, value, layout, registers) => {
    expect(decodeExactly(fieldOf(layout, registers.length), registers)).toBe(value);
  });

  /** Contents that are read, and never written. */
  const READ_ALONE = ['fff6', 'fe0c 0'];

  it.each(
    NUMBERS.map(label).filter(([, contents, value]) => value !== null && !READ_ALONE.includes(contents)),
  )('%s is written as %s for %j', (_layout, _contents, value, layout, registers) => {
    expect(encode(fieldOf(layout, registers.length), value, registers)).toEqual(registers);
  });

  it.each([
    ['u16', 1, fc.integer({ min: 0, max: 0xfffe }), [0xffff]],
    ['s16', 1, fc.integer({ min: -0x8000, max: 0x7fff }), [0]],
    ['u32', 2, fc.integer({ min: 0, max: 0xffff_fffe }), [0xffff, 0xffff]],
    ['s32', 2, fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }), [0, 0]],
    ['u64', 4, fc.maxSafeNat(), [0xffff, 0xffff, 0xffff, 0xffff]],
    ['f32', 2, fc.float({ noNaN: true, noDefaultInfinity: true }), [0, 0x7fc0]],
  ] as const)(
    'a value of %s decodes from its encoding, and none has an encoding of its own',
    (type, length, values, none) => {
      const field = fieldOf({ type }, length);
      fc.assert(
        fc.property(values, (value) => {
          const registers = encode(field, value);
          expect(registers).toHaveLength(length);
          expect(registers.every((register) => register >= 0 && register <= 0xffff)).toBe(true);
          // -0 and 0 are the same number except to Object.is.
          expect(Number(decodeExactly(field, registers)) + 0).toBe(value + 0);
        }),
      );
      expect(encode(field, null)).toEqual(none);
    },
  );

  it('a scaled value survives within half of its last digit', () => {
    const counts = fc.integer({ min: -0x7fff, max: 0x7fff });
    fc.assert(
      fc.property(counts, fc.constantFrom(0.001, 0.01, 0.1, 1, 10, 100), (count, scale) => {
        const field = fieldOf({ type: 's16', scale });
        const value = decodeExactly(field, [count & 0xffff]);
        expect(encode(field, value)).toEqual([count & 0xffff]);
      }),
    );
  });

  it.each<[string, NumberLayout, MetricValue]>([
    ['too large', { type: 'u16' }, 70_000],
    ['that means "no value"', { type: 'u16' }, 0xffff],
    ['that means "no value" with a sign', { type: 's16', noValue: [0x8000] }, -0x8000],
    ['negative where no sign is', { type: 'u16' }, -1],
    ['too large for its bits', { type: 'u16', mask: 0xf0 }, 16],
    ['that is a text', { type: 's16' }, '12'],
    ['that is a switch', { type: 's16' }, true],
  ])('a number %s cannot be encoded', (_name, layout, value) => {
    expect(() => encode(fieldOf(layout), value)).toThrow(RangeError);
  });

  it('a count of 0 is written although it may mean "no value"', () => {
    expect(encode(fieldOf({ type: 'u32', noValue: [0] }, 2), 0)).toEqual([0, 0]);
  });

  it('a masked number preserves the other bits', () => {
    expect(encode(fieldOf({ type: 'u16', mask: 0x0ff0 }), 0xab, [0x1234])).toEqual([0x1ab4]);
  });

  it.each([
    [-1, 0xffff],
    [-70, 0xffff],
    [2500, 250],
    [0, 0],
  ])('a limit of %i is written as %i', (value, content) => {
    expect(encode(fieldOf({ type: 's16', scale: 10, unlimited: true }), value)).toEqual([content]);
  });
});

describe('numbers with a scale register', () => {
  const powers = fieldOf({ type: 's16', scaleBy: { register: 20, scales: 'powers of ten' } });
  const table = fieldOf({ type: 'u16', scaleBy: { register: 20, scales: { 12: 0.1, 24: 0.2 } } });

  it.each<[string, RegisterField, number, number, MetricValue]>([
    ['16389 at -2 is exactly 163.89', powers, 16_389, 0xfffe, 163.89],
    ['-252 at 0', powers, 0xff04, 0, -252],
    ['7 at 3', powers, 7, 3, 7000],
    ['an exponent out of range makes the value unknown', powers, 5, 11, null],
    ['an exponent far below zero, too', powers, 5, 0x8000, null],
    ['a factor of a table', table, 130, 24, 26],
    ['a content that is not in the table makes the value unknown', table, 130, 48, null],
  ])('%s', (_name, field, content, scale, value) => {
    const frame = new Map([
      [10, content],
      [20, scale],
    ]);
    expect(readExactly(field, frame)).toBe(value);
    if (value !== null) expect(encode(field, value, [], scale)).toEqual([content]);
    else expect(() => encode(field, 5, [], scale)).toThrow(RangeError);
  });

  it('a value whose scale register was not read is not known', () => {
    expect(readExactly(powers, new Map([[10, 5]]))).toBeUndefined();
  });

  it('a scale and a scale register both apply', () => {
    const wattHours = fieldOf({
      type: 'u16',
      scale: 0.001,
      scaleBy: { register: 20, scales: 'powers of ten' },
    });
    expect(
      readExactly(
        wattHours,
        new Map([
          [10, 1234],
          [20, 1],
        ]),
      ),
    ).toBe(12.34);
  });
});

describe('other layouts', () => {
  it.each<[string, RowLayout, readonly number[], MetricValue]>([
    ['a code with a label', { type: 'code', labels: { 2: 'Fault' } }, [2], 'Fault'],
    ['a masked code', { type: 'code', labels: { 32: 'Fault' }, mask: 0xf0 }, [0x1a2f], 'Fault'],
    ['a code without a label', { type: 'code', labels: {} }, [7], 'Unknown (7)'],
    ['a code that is not there', { type: 'code', labels: {} }, [0xffff], null],
    ['a switch with all of its bits', { type: 'switch', mask: 3 }, [0x17], true],
    ['a switch with one of its bits', { type: 'switch', mask: 3 }, [0x15], false],
    ['a switch that is not there', { type: 'switch', mask: 3 }, [0xffff], null],
    ['alarms that are silent', { type: 'alarms', labels: ['A', 'B'] }, [0, 0xffff], 'OK'],
    ['an alarm and a warning', { type: 'alarms', labels: ['A', 'B'] }, [2, 1], 'A, B (warning)'],
    ['text padded with NUL', { type: 'ascii' }, [0x4142, 0x4300, 0], 'ABC'],
    ['text padded with spaces', { type: 'ascii' }, [0x4142, 0x4320, 0x2020], 'ABC'],
    ['text with a control character', { type: 'ascii' }, [0x4107], null],
    ['one character a register', { type: 'characters' }, [0x41, 0x42, 0], 'AB'],
    ['UTF-8 padded with spaces', { type: 'utf8' }, [0x2041, 0xc3a4, 0x2020], 'Aä'],
    ['UTF-8 with bytes after its end', { type: 'utf8' }, [0x4100, 0x4242], 'A'],
    ['UTF-8 of spaces', { type: 'utf8' }, [0x2020], null],
    ['a version', { type: 'version' }, [0x0203], '2.3'],
    ['a clock', { type: 'clock' }, [0x1a05, 0x1307, 0x2729], '2026-05-19 07:39:41'],
    ['a clock without a date', { type: 'clock' }, [0, 0, 0], null],
    ['hours times 100', { type: 'hhmm' }, [1330], '13:30:00'],
    ['25 hours', { type: 'hhmm' }, [2500], null],
    ['hours and minutes in bytes', { type: 'hours and minutes' }, [0x0d1e], '13:30:00'],
    ['60 minutes in a byte', { type: 'hours and minutes' }, [0x0d3c], null],
  ])('%s', (_name, layout, registers, value) => {
    expect(decodeExactly(fieldOf(layout, registers.length), registers)).toBe(value);
  });

  it('flags list the labels of the bits that are set, from the lowest of the first register on', () => {
    const flags: RowLayout = {
      type: 'flags',
      labels: { 0: 'A', 17: 'B' },
      unnamed: (bit) => `F${bit + 1}`,
      none: 'OK',
    };
    expect(decodeExactly(fieldOf(flags, 2), [0, 0])).toBe('OK');
    expect(decodeExactly(fieldOf(flags, 2), [0b101, 0b10])).toBe('A, F3, B');
    expect(decodeExactly(fieldOf(flags, 2), [0xffff, 0xffff])).toBeNull();
  });

  it.each<[string, RowLayout, MetricValue, readonly number[], readonly number[]]>([
    ['a code', { type: 'code', labels: { 1: 'On', 4: 'Off' } }, 'Off', [0], [4]],
    ['the lowest of several codes', { type: 'code', labels: { 2: 'On', 5: 'On' } }, 'On', [0], [2]],
    ['a masked code', { type: 'code', labels: { 32: 'On' }, mask: 0xf0 }, 'On', [0x1a1f], [0x1a2f]],
    ['a switch', { type: 'switch', mask: 3 }, 'true', [0x10], [0x13]],
    ['a switch that is turned off', { type: 'switch', mask: 3 }, 'false', [0x13], [0x10]],
    ['a text', { type: 'ascii' }, 'AB', [0], [0x4142]],
    ['a UTF-8 text', { type: 'utf8' }, 'ä', [0], [0xc3a4]],
    ['a time', { type: 'hhmm' }, '07:05', [0], [705]],
    ['a time in bytes', { type: 'hours and minutes' }, '13:30:00', [0], [0x0d1e]],
  ])('%s is encoded', (_name, layout, value, before, registers) => {
    expect(encode(fieldOf(layout), value, before)).toEqual(registers);
  });

  it.each<[string, RowLayout, MetricValue]>([
    ['a label that there is not', { type: 'code', labels: { 1: 'On' } }, 'Eco'],
    ['a text that is too long', { type: 'ascii' }, 'ABC'],
    ['a UTF-8 text that is too long', { type: 'utf8' }, 'äB'],
    ['a number in a text', { type: 'utf8' }, 1],
    ['seconds', { type: 'hhmm' }, '10:00:30'],
    ['no time of day', { type: 'hhmm' }, '24:00'],
  ])('%s cannot be encoded', (_name, layout, value) => {
    expect(() => encode(fieldOf(layout), value)).toThrow(RangeError);
  });
});

describe('rows', () => {
  it('a row is rounded to the decimals of its quantity', () => {
    const row = rowOf({ type: 'u16', scale: 0.001 }, quantities.voltage('Voltage'));
    expect(decode(row, [51_249])).toBe(51.2);
    expect(readExactly(row, new Map([[10, 51_249]]))).toBe(51.249);
    expect(readRow(row, new Map([[11, 51_249]]))).toBeUndefined();
  });

  it('a code without a label decodes to its number, in a setting, too', () => {
    const labels = { 0: 'Off', 1: 'On' };
    for (const quantity of [quantities.selectSetting('Mode', ['Off', 'On']), quantities.state('Mode')])
      expect(decode(rowOf({ type: 'code', labels }, quantity), [7])).toBe('Unknown (7)');
  });

  it('a value that another register enables is in force only then', () => {
    const limit: RegisterRow = {
      ...rowOf({ type: 'u16' }, quantities.percentage('Limit')),
      enabledBy: { register: 30, otherwise: 100 },
    };
    const frame = (enabled: number) =>
      new Map([
        [10, 60],
        [30, enabled],
      ]);
    expect(readRow(limit, frame(1))).toBe(60);
    expect(readRow(limit, frame(0))).toBe(100);
    expect(readRow(limit, new Map([[10, 60]]))).toBeUndefined();
  });
});
