import { expect, it } from 'vitest';
import type { Tone } from '../../format/tone.ts';
import { curveStyles } from './curve-style.ts';

const series = (tone: Tone, unit = 'W') => ({ key: tone, name: tone, unit, tone, times: [], values: [] });

it('no two curves look the same', () => {
  const many = [
    ...(['solar', 'load', 'grid', 'battery', 'battery', 'solar'] as const).map((tone) => series(tone)),
    ...Array.from({ length: 6 }, () => series('neutral', 'V')),
  ];
  const looks = curveStyles(many).map(({ color, dash }) => `${color} ${dash.join()}`);
  expect(new Set(looks).size).toBe(many.length);
});

it('the curve of solar power has an area below it', () => {
  const filled = curveStyles([series('load'), series('solar'), series('solar')]).map(
    ({ fill }) => fill !== undefined,
  );
  expect(filled).toEqual([false, true, false]);
});
