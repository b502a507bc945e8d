import type { Tone } from '../../format/tone.ts';
import { toneColor } from '../../format/tone.ts';
import type { CurveSeries } from './series.ts';

/** The style of a curve. Curves of one colour differ by their dashes, so that colour is never the only difference. */
export interface CurveStyle {
  /** A CSS colour, which may be a variable. */
  readonly color: string;
  readonly dash: readonly number[];
  /** The colour of the area below it; undefined for none. */
  readonly fill: string | undefined;
}

const TONES: readonly Tone[] = ['load', 'solar', 'battery', 'grid'];
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 4], [10, 4, 2, 4]];

const SOLAR_AREA = 'color-mix(in srgb, var(--hg-solar-fill) 24%, transparent)';

/** The look of each of several curves beside each other. */
export function curveStyles(series: readonly CurveSeries[]): CurveStyle[] {
  const uses = new Map<Tone, number>();
  let unnamed = 0;
  return series.map(({ tone: own, unit }) => {
    const tone = own === 'neutral' ? (TONES[unnamed++ % TONES.length] ?? 'load') : own;
    const before = uses.get(tone) ?? 0;
    uses.set(tone, before + 1);
    return {
      color: toneColor(tone),
      dash: DASHES[before % DASHES.length] ?? [],
      fill: own === 'solar' && unit === 'W' && before === 0 ? SOLAR_AREA : undefined,
    };
  });
}
