import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatQuantity, quantityText } from '../../format/amounts.ts';
import { regionalTag } from '../../format/region.ts';
import { useFormat } from '../../format/use-format.ts';
import { Placeholder } from '../states/placeholder.tsx';
import { cursorTimeFormat, spanLabel } from './axis-labels.ts';
import classes from './curve.module.css';
import { CurveLegend } from './curve-legend.tsx';
import { curveStyles } from './curve-style.ts';
import { CurveSummary } from './curve-summary.tsx';
import { indexAfterKey } from './keyboard-index.ts';
import type { PlotHandle } from './plot.tsx';
import { roundForDisplay } from './rounded.ts';
import { type Aligned, aligned, type CurveSeries, extremesOf } from './series.ts';

/** Plots are large: they are loaded where there is something to plot. */
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

interface CurveProps {
  readonly series: readonly CurveSeries[];
  /** What is shown of time, in seconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Of the plot, in pixels. */
  readonly height?: number;
  readonly label: string;
  /** IANA name; the reader's own when left out. */
  readonly timeZone?: string;
}

/** Curves over time. They can be read point by point with a pointer, a finger and the arrow keys. */
export function Curve({ series, from, to, height = 300, label, timeZone = READERS_ZONE }: CurveProps) {
  const { t, i18n } = useTranslation('site');
  const format = useFormat();
  const plot = useRef<PlotHandle>(null);
  const help = useId();
  const [index, setIndex] = useState<number | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  // A day's points are thousands: they are put together once, not with every move of the cursor.
  const data = useMemo(() => aligned(series), [series]);
  const looks = curveStyles(series);
  const locale = regionalTag(i18n.language, navigator.languages);
  const timeWords = cursorTimeFormat(to - from, locale, timeZone);
  const time = index === null ? undefined : data.times[index];
  const values = series.map((one, at) =>
    index === null ? extremesOf(one)?.last.value : valueAt(data, at, index),
  );
  const spoken = series.flatMap(({ name, unit }, at) => {
    const value = values[at];
    return typeof value === 'number'
      ? [`${name} ${quantityText(formatQuantity(roundForDisplay(value, unit), unit, format))}`]
      : [];
  });

  const move = (event: KeyboardEvent): void => {
    const next = indexAfterKey(event.key, index, data.times.length);
    if (next === undefined) return;
    event.preventDefault();
    plot.current?.point(next);
    setIndex(next);
  };

  return (
    <figure className={classes.figure}>
      <CurveLegend
        series={series}
        looks={looks}
        hidden={hidden}
        values={values}
        onToggle={(key) => setHidden((before) => toggled(before, key))}
      />
      <div
        className={classes.reader}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, data.times.length - 1)}
        aria-valuenow={index ?? Math.max(0, data.times.length - 1)}
        aria-valuetext={[...(time === undefined ? [] : [timeWords(time)]), ...spoken].join(', ')}
        onKeyDown={move}
      >
        <p className={classes.time} aria-hidden="true">
          {time === undefined ? spanLabel(from, to, locale, timeZone) : timeWords(time)}
        </p>
        <Suspense fallback={<Placeholder height={`${height}px`} />}>
          <Plot
            ref={plot}
            data={data}
            index={index}
            series={series}
            looks={looks}
            hidden={hidden}
            from={from}
            to={to}
            height={height}
            locale={locale}
            timeZone={timeZone}
            onCursor={setIndex}
          />
        </Suspense>
      </div>
      <VisuallyHidden id={help}>{t('curve.readWith')}</VisuallyHidden>
      <CurveSummary series={series} formatTime={timeWords} />
    </figure>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const others = [...keys].filter((one) => one !== key);
  return new Set(others.length === keys.size ? [...others, key] : others);
}

const READERS_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A curve's value at a point, or where it has none the one before, unless its line breaks in between. */
function valueAt({ values }: Aligned, series: number, index: number): number | null | undefined {
  const own = values[series] ?? [];
  let at = index;
  while (at > 0 && own[at] === undefined) at--;
  return own[at];
}
