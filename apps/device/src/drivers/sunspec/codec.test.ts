import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeModel, decodePoint, encodeModel, encodePoint, type PointValue } from './codec.ts';
import { MODELS, modelById } from './models/index.ts';
import type { Point, PointType } from './models/point.ts';

const pointOf = (type: PointType, length: number): Point => ({ name: 'X', type, offset: 2, length });

/** Registers, values that fit, the registers of "unimplemented". */
const TYPES: readonly [PointType, number, fc.Arbitrary<PointValue>, readonly number[]][] = [
  ['uint16', 1, fc.integer({ min: 0, max: 0xfffe }), [0xffff]],
  ['int16', 1, fc.integer({ min: -0x7fff, max: 0x7fff }), [0x8000]],
  ['enum16', 1, fc.integer({ min: 0, max: 0xfffe }), [0xffff]],
  ['bitfield16', 1, fc.integer({ min: 0, max: 0xfffe }), [0xffff]],
  ['count', 1, fc.integer({ min: 0, max: 0xfffe }), [0xffff]],
  ['sunssf', 1, fc.integer({ min: -10, max: 10 }), [0x8000]],
  ['uint32', 2, fc.integer({ min: 0, max: 0xffff_fffe }), [0xffff, 0xffff]],
  ['int32', 2, fc.integer({ min: -0x7fff_ffff, max: 0x7fff_ffff }), [0x8000, 0]],
  ['bitfield32', 2, fc.integer({ min: 0, max: 0xffff_fffe }), [0xffff, 0xffff]],
  ['acc32', 2, fc.integer({ min: 1, max: 0xffff_ffff }), [0, 0]],
  ['uint64', 4, fc.maxSafeNat(), [0xffff, 0xffff, 0xffff, 0xffff]],
  ['acc64', 4, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), [0, 0, 0, 0]],
  ['float32', 2, fc.float({ noNaN: true, noDefaultInfinity: true }), [0x7fc0, 0]],
  ['string', 16, fc.stringMatching(/^[!-~]([ -~]{0,29}[!-~])?$/), new Array<number>(16).fill(0)],
];

describe('SunSpec points', () => {
  it.each(TYPES)('a value of %s decodes from its encoding', (type, length, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const registers = encodePoint(pointOf(type, length), value);
        expect(registers).toHaveLength(length);
        expect(registers.every((register) => register >= 0 && register <= 0xffff)).toBe(true);
        // -0 and 0 are the same number except to Object.is.
        expect(decodePoint(pointOf(type, length), registers)).toEqual(
          value === 0 ? expect.closeTo(0) : value,
        );
      }),
    );
  });

  it.each(TYPES)(
    'an unimplemented %s decodes to null and encodes from null',
    (type, length, _values, absent) => {
      expect(encodePoint(pointOf(type, length), null)).toEqual(absent);
      expect(decodePoint(pointOf(type, length), absent)).toBeNull();
    },
  );

  it('a scaled value survives within half of its last digit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -0x7fff, max: 0x7fff }),
        fc.integer({ min: -6, max: 3 }),
        (raw, scale) => {
          const value = Number(`${raw}e${scale}`);
          const registers = encodePoint(pointOf('int16', 1), value, scale);
          expect(decodePoint(pointOf('int16', 1), registers, scale)).toBeCloseTo(value, 10);
        },
      ),
    );
  });

  it.each([
    ['16389 at -2 is exactly 163.89', 'uint16', [16389], -2, 163.89],
    ['-252 at 0', 'int16', [0xff04], 0, -252],
    ['high word first', 'uint32', [0x0001, 0x0002], 0, 65538],
    ['a scale factor out of range makes the value unknown', 'uint16', [5], 11, null],
    ['infinity is no reading', 'float32', [0x7f80, 0], 0, null],
  ] as const)('%s', (_name, type, registers, scale, value) => {
    expect(decodePoint(pointOf(type, registers.length), registers, scale)).toBe(value);
  });

  it.each([
    ['padded with NUL', [0x4142, 0x4300, 0], 'ABC'],
    ['padded with spaces', [0x4142, 0x4320, 0x2020], 'ABC'],
    ['filled to the last byte', [0x4142, 0x4344, 0x4546], 'ABCDEF'],
    ['nothing but spaces', [0x2020, 0x2020, 0x2020], null],
  ] as const)('a text %s', (_name, registers, value) => {
    expect(decodePoint(pointOf('string', 3), registers)).toBe(value);
  });

  it.each([
    ['too large', 'uint16', 70_000],
    ['the value that means unimplemented', 'uint16', 0xffff],
    ['negative where no sign is', 'uint16', -1],
    ['a text where a number is', 'int16', '12'],
    ['a text too long', 'string', 'far too long for two'],
  ] as const)('encoding %s throws a RangeError', (_name, type, value) => {
    expect(() => encodePoint(pointOf(type, type === 'string' ? 2 : 1), value)).toThrow(RangeError);
  });
});

describe('SunSpec models', () => {
  it.each([...MODELS.values()])('the points of model $id $name lie side by side and fill it', (model) => {
    const end = model.points.reduce((next, point) => {
      expect(point.offset, point.name).toBe(next);
      return point.offset + point.length;
    }, 2);
    expect(end).toBe(model.length + 2);
    const groupEnd = (model.group?.points ?? []).reduce((next, point) => {
      expect(point.offset, point.name).toBe(next);
      return point.offset + point.length;
    }, 0);
    expect(groupEnd).toBe(model.group?.length ?? 0);
    if (model.group !== undefined) expect(model.group.offset).toBe(end);
  });

  it.each([...MODELS.values()])('every scale factor of model $id $name is one of its points', (model) => {
    const factors = model.points.filter(({ type }) => type === 'sunssf').map(({ name }) => name);
    const named = [...model.points, ...(model.group?.points ?? [])].flatMap(({ scale }) => scale ?? []);
    expect(named.filter((scale) => typeof scale === 'string' && !factors.includes(scale))).toEqual([]);
  });

  it('a model decodes from its encoded header, groups and count', () => {
    const groups = [
      { ID: 1, IDStr: 'East', DCW: 1234.5 },
      { ID: 2, DCW: 0 },
    ];
    const registers = encodeModel(modelById(160), { DCW_SF: -1 }, { groups });
    expect(registers.slice(0, 2)).toEqual([160, 48]);
    const decoded = decodeModel(modelById(160), registers);
    expect(decoded.points).toMatchObject({ N: 2, DCW_SF: -1, DCA_SF: null });
    expect(decoded.groups).toMatchObject([
      { ID: 1, IDStr: 'East', DCW: 1234.5, DCV: null },
      { ID: 2, IDStr: null, DCW: 0, Tmp: null },
    ]);
  });

  it('the number of registers limits the groups rather than the count', () => {
    const registers = encodeModel(modelById(160), { N: 9000 }, { groups: [{ ID: 1 }] });
    expect(decodeModel(modelById(160), registers).groups).toHaveLength(1);
  });

  it('a value without its scale factor is null', () => {
    const registers = encodeModel(modelById(103), { W_SF: 0, W: 100 }).with(15, 0x8000);
    expect(decodeModel(modelById(103), registers).points.W).toBeNull();
  });

  it('points beyond a shorter model are null', () => {
    const registers = encodeModel(modelById(1), { Mn: 'A', DA: 7 }, { length: 65 }).slice(0, 60);
    expect(decodeModel(modelById(1), registers).points).toMatchObject({ Mn: 'A', SN: null, DA: null });
  });

  it.each([
    ['a misspelt point', { Watts: 1 }],
    ['a value without its scale factor', { W: 1 }],
  ])('encoding a model %s throws a RangeError', (_name, values) => {
    expect(() => encodeModel(modelById(103), values)).toThrow(RangeError);
  });
});
