import { describe, expect, it } from 'vitest';
import { aligned, type CurveSeries, extremesOf } from './series.ts';

function series(times: readonly number[], values: readonly (number | null)[]): CurveSeries {
  return { key: 'total/pv_power', name: 'Solar', unit: 'W', tone: 'solar', times, values };
}

describe('aligned', () => {
  it('aligned curves keep their gaps, and pass over points of others', () => {
    const one = series([10, 20, 30], [1, null, 3]);
    const other = series([15, 30, 40], [7, 8, 9]);
    expect(aligned([one, other])).toEqual({
      times: [10, 15, 20, 30, 40],
      values: [
        [1, undefined, null, 3, undefined],
        [undefined, 7, undefined, 8, 9],
      ],
    });
  });

  it('no curves have no points', () => {
    expect(aligned([])).toEqual({ times: [], values: [] });
  });
});

describe('extremesOf', () => {
  it('the extremes are the highest, lowest and last known point', () => {
    expect(extremesOf(series([10, 20, 30, 40, 50], [0, 900, -3, 12, null]))).toEqual({
      highest: { time: 20, value: 900 },
      lowest: { time: 30, value: -3 },
      last: { time: 40, value: 12 },
    });
  });

  it('a curve without known values has no extremes', () => {
    expect(extremesOf(series([10, 20], [null, null]))).toBeUndefined();
  });
});
