import { describe, expect, it } from 'vitest';
import { curveOf } from './curve-of.ts';
import { extendTails, type Tails } from './tail.ts';

const PV = { topic: 'total/pv_power', name: 'Solar', unit: 'W' };

describe('curveOf and extendTails', () => {
  const history = {
    from: 0,
    to: 900,
    step: 300,
    states: [],
    series: [
      {
        topic: 'total/pv_power',
        name: 'PV power',
        unit: 'W',
        times: [0, 300, 600],
        min: [1, 1, 1],
        mean: [100, null, 300],
        max: [1, 1, 1],
        last: [1, 1, 1],
      },
    ],
  };

  it('a curve has its history, then the live values since', () => {
    const tail = [590, 600, 610, 620].map((time) => ({ time, value: time === 610 ? null : 400 }));
    expect(curveOf(PV, history, tail)).toEqual({
      key: 'total/pv_power',
      name: 'Solar',
      unit: 'W',
      tone: 'solar',
      times: [0, 300, 600, 610, 620],
      values: [100, null, 300, null, 400],
    });
  });

  it('a curve without history begins with its live values', () => {
    expect(curveOf(PV, { ...history, series: [] }, [{ time: 5, value: 1 }])).toMatchObject({
      times: [5],
      values: [1],
    });
  });

  it('the oldest live values are dropped', () => {
    let tails: Tails = new Map();
    for (let time = 1; time <= 100; time++) tails = extendTails(tails, time, [['a', time]]);
    expect(tails.get('a')).toHaveLength(60);
    expect(tails.get('a')?.at(-1)).toEqual({ time: 100, value: 100 });
  });
});
