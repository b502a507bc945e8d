import { describe, expect, it } from 'vitest';
import { decodeModel, encodeModel } from './model-registers.ts';
import { MODELS, modelById } from './models/index.ts';

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
