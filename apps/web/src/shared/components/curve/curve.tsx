import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DASH, formatQuantity, quantityText } from '../../format/amounts.ts';
import { regionalTag } from '../../format/region.ts';
import { shownTimeZone } from '../../format/time-zone.ts';
import { useFormat } from '../../format/use-format.ts';
import { Placeholder } from '../states/placeholder.tsx';
import { cursorTimeFormat, spanLabel } from './axis-labels.ts';
import classes from './curve.module.css';
import { type CurveStyle, curveStyles } from './curve-style.ts';
import { indexAfterKey } from './keyboard-index.ts';
import type { PlotHandle } from './plot.tsx';
import { type Aligned, aligned, type CurveSeries, extremesOf } from './series.ts';

const READERS_ZONE = shownTimeZone();

interface CurveProps {
  readonly series: readonly CurveSeries[];
  /** The shown time, in seconds since 1970. */
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
  const { t, i18n } = useTranslation('curve');
  const format = useFormat();
  const plot = useRef<PlotHandle>(null);
  const help = useId();
  const [index, setIndex] = useState<number | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  // A day's points are thousands: they are put together once, not with every move of the cursor.
  const data = useMemo(() => aligned(series), [series]);
  const looks = curveStyles(series);
  const locale = regionalTag(i18n.language);
  const formatTime = cursorTimeFormat(to - from, locale, timeZone);
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
        aria-valuetext={[...(time === undefined ? [] : [formatTime(time)]), ...spoken].join(', ')}
        onKeyDown={move}
      >
        <p className={classes.time} aria-hidden="true">
          {time === undefined ? spanLabel(from, to, locale, timeZone) : formatTime(time)}
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
      <VisuallyHidden id={help}>{t('readWith')}</VisuallyHidden>
      <CurveSummary series={series} formatTime={formatTime} />
    </figure>
  );
}

interface CurveFrameProps {
  readonly series: readonly CurveSeries[];
  /** Takes the place of the plot, and has its height. */
  readonly children: ReactNode;
}

/** The place of curves that are loading or not there, with their names, so that the layout does not shift. */
export function CurveFrame({ series, children }: CurveFrameProps) {
  return (
    <div className={classes.figure}>
      <div inert>
        <CurveLegend
          series={series}
          looks={curveStyles(series)}
          hidden={NOTHING}
          values={[]}
          onToggle={() => undefined}
        />
        <div className={classes.time} />
      </div>
      {children}
    </div>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** Means of many readings have digits that no meter had. */
const SIGNIFICANT = 4;

/** A value with its significant digits: whole percents, else four digits. */
function roundForDisplay(value: number, unit: string): number {
  return unit === '%' ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT));
}

interface CurveSummaryProps {
  readonly series: readonly CurveSeries[];
  readonly formatTime: (timeS: number) => string;
}

/** The extremes of the curves, for screen readers. */
function CurveSummary({ series, formatTime }: CurveSummaryProps) {
  const { t } = useTranslation('curve');
  const format = useFormat();
  return (
    <VisuallyHidden component="ul">
      {series.map((one) => {
        const { key, name, unit } = one;
        const extremes = extremesOf(one);
        if (extremes === undefined) return <li key={key}>{t('summaryNothing', { name })}</li>;
        const { highest, lowest, last } = extremes;
        const text = (value: number): string =>
          quantityText(formatQuantity(roundForDisplay(value, unit), unit, format));
        return (
          <li key={key}>
            {t('summary', {
              name,
              highest: text(highest.value),
              highestAt: formatTime(highest.time),
              lowest: text(lowest.value),
              lowestAt: formatTime(lowest.time),
              last: text(last.value),
            })}
          </li>
        );
      })}
    </VisuallyHidden>
  );
}

interface CurveLegendProps {
  readonly series: readonly CurveSeries[];
  readonly looks: readonly CurveStyle[];
  readonly hidden: ReadonlySet<string>;
  /** Each curve's value where the cursor is, else its last. */
  readonly values: readonly (number | null | undefined)[];
  readonly onToggle: (key: string) => void;
}

/** Names the curves with their values; each can be switched off and on. */
function CurveLegend({ series, looks, hidden, values, onToggle }: CurveLegendProps) {
  const { t } = useTranslation('curve');
  const format = useFormat();
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {series.map(({ key, name, unit }, index) => {
        const value = values[index];
        return (
          <li key={key}>
            <button
              type="button"
              className={classes.entry}
              aria-pressed={!hidden.has(key)}
              title={hidden.has(key) ? t('show', { name }) : t('hide', { name })}
              onClick={() => onToggle(key)}
            >
              <Mark look={looks[index]} />
              <span className={classes.entryName}>{name}</span>
              <span className={classes.entryValue} translate="no">
                {typeof value === 'number'
                  ? quantityText(formatQuantity(roundForDisplay(value, unit), unit, format))
                  : DASH}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Mark({ look }: { readonly look: CurveStyle | undefined }) {
  return (
    <svg className={classes.mark} viewBox="0 0 28 8" aria-hidden="true">
      <path d="M1 4h26" stroke={look?.color} strokeWidth="3" strokeDasharray={look?.dash.join(' ')} />
    </svg>
  );
}

/** Plots are large: they are loaded where there is something to plot. */
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const others = [...keys].filter((one) => one !== key);
  return new Set(others.length === keys.size ? [...others, key] : others);
}

/** A curve's value at a point, or where it has none the one before, unless its line breaks in between. */
function valueAt({ values }: Aligned, series: number, index: number): number | null | undefined {
  const own = values[series] ?? [];
  let at = index;
  while (at > 0 && own[at] === undefined) at--;
  return own[at];
}
