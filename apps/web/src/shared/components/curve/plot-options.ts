import type uPlot from 'uplot';
import { timeTickFormat, valueTickLabels } from './axis-labels.ts';
import type { CurveStyle } from './curve-style.ts';
import type { CurveSeries } from './series.ts';
import { timeSplits } from './time-splits.ts';

export interface PlotSettings {
  readonly series: readonly CurveSeries[];
  readonly looks: readonly CurveStyle[];
  readonly hidden: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  readonly locale: string;
  readonly timeZone: string;
  /** Resolves a CSS colour at the plot. */
  readonly colorOf: (color: string) => string;
  /** Called with the point that the cursor is at, null when it has left. */
  readonly onCursor: (index: number | null) => void;
  /** Called when the cursor can be moved. */
  readonly onReady: () => void;
}

const FONT = '12px system-ui, sans-serif';

export function plotOptions(settings: PlotSettings): uPlot.Options {
  const { series, looks, hidden, from, to, width, height, colorOf, onCursor, onReady } = settings;
  const units = [...new Set(series.map(({ unit }) => unit))];
  return {
    width,
    height,
    legend: { show: false },
    padding: [12, units.length > 1 ? 0 : 30, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, width: 2, fill: colorOf('var(--hg-surface)') },
    },
    scales: {
      x: { time: true, range: () => [from, to] },
      ...Object.fromEntries(units.map((unit) => [unit, { range: valueRange(unit) }])),
    },
    axes: [timeAxis(settings), ...units.map((unit, index) => valueAxis(unit, index, settings))],
    series: [
      {},
      ...series.map(({ key, unit }, index): uPlot.Series => {
        const { color = 'currentcolor', dash = [], fill } = looks[index] ?? {};
        return {
          scale: unit,
          show: !hidden.has(key),
          stroke: colorOf(color),
          width: 2,
          dash: [...dash],
          points: { show: isSinglePoint },
          ...(fill !== undefined && { fill: colorOf(fill) }),
        };
      }),
    ],
    hooks: {
      ready: [onReady],
      // While a plot is being made its cursor is outside, and no reader has moved it.
      setCursor: [({ cursor: { idx }, status }) => status === 1 && onCursor(idx ?? null)],
    },
  };
}

/** Power goes with its zero, a percentage has its ends; anything else fills the height. */
function valueRange(unit: string): uPlot.Range.Function {
  return (_plot, min, max) => {
    if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, unit === '%' ? 100 : 1];
    if (unit === '%' && min >= 0 && max <= 100) return [0, 100];
    const isFromZero = unit === 'W' || unit === 'kWh';
    const [low, high] = isFromZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
    if (low === high) return [low - 1, high + 1];
    const margin = (high - low) * 0.06;
    return [isFromZero && low === 0 ? 0 : low - margin, isFromZero && high === 0 ? 0 : high + margin];
  };
}

/** A line needs two points: a single one would be invisible. */
function isSinglePoint(plot: uPlot, index: number, first: number, last: number): boolean {
  const values = plot.data[index] ?? [];
  let known = 0;
  for (let at = first; at <= last; at++) if (typeof values[at] === 'number') known++;
  return known === 1;
}

function timeAxis({ locale, timeZone, colorOf }: PlotSettings): uPlot.Axis {
  return {
    font: FONT,
    stroke: colorOf('var(--hg-muted)'),
    space: 70,
    size: 34,
    grid: { show: false },
    border: { show: true, stroke: colorOf('var(--hg-line)'), width: 1 },
    ticks: { stroke: colorOf('var(--hg-line)'), width: 1, size: 5 },
    splits: (_plot, _axis, from, to, apartS) => timeSplits(from, to, apartS, timeZone),
    values: (_plot, splits, _axis, _space, apartS) => splits.map(timeTickFormat(apartS, locale, timeZone)),
  };
}

/** The first unit has the left side and the grid, the second the right; more than two have no axis of their own. */
function valueAxis(unit: string, index: number, { locale, colorOf }: PlotSettings): uPlot.Axis {
  return {
    show: index < 2,
    scale: unit,
    side: index === 0 ? 3 : 1,
    font: FONT,
    stroke: colorOf('var(--hg-muted)'),
    size: (_plot, values) => 14 + 8 * Math.max(3, ...(values ?? []).map(({ length }) => length)),
    space: 44,
    grid: {
      show: index === 0,
      stroke: colorOf('color-mix(in srgb, var(--hg-line) 60%, transparent)'),
      width: 1,
    },
    ticks: { show: false },
    values: (_plot, splits) => {
      const { unit: shown, labels } = valueTickLabels(splits, unit, locale);
      return labels.map((mark, at) => (at === labels.length - 1 ? `${mark} ${shown}` : mark));
    },
  };
}
