import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import uPlot from 'uplot';
import classes from './curve.module.css';
import { type PlotSettings, plotOptions } from './plot-options.ts';
import type { Aligned } from './series.ts';

interface PlotProps extends Omit<PlotSettings, 'width' | 'colorOf' | 'onReady'> {
  readonly data: Aligned;
  /** The point that is read, null for none: a new plot begins with its cursor there. */
  readonly index: number | null;
  readonly ref: Ref<PlotHandle>;
}

/** The canvas of a curve. A new reading updates the plot without making it again. */
export function Plot({ data, ref, ...settings }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const scheme = useComputedColorScheme();
  const made = useRef<uPlot>(undefined);
  const latest = useRef({ ...settings, data });
  latest.current = { ...settings, data };

  const pointAt = (index: number | null): void => {
    const time = index === null ? undefined : latest.current.data.times[index];
    const left = time === undefined ? -10 : (made.current?.valToPos(time, 'x') ?? -10);
    made.current?.setCursor({ left, top: left < 0 ? -10 : 0 });
  };

  const { series, hidden, from, to, height, locale, timeZone } = settings;
  const kind = JSON.stringify([
    series.map(({ key, name, unit }) => [key, name, unit]),
    [...hidden],
    locale,
    timeZone,
  ]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: made again when it looks different; the rest is handed over below
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || width === 0) return;
    const { data: now, ...rest } = latest.current;
    const options = plotOptions({
      ...rest,
      width,
      colorOf: (color) => resolvedColor(element, color),
      onCursor: (index) => latest.current.onCursor(index),
      onReady: () => pointAt(latest.current.index),
    });
    // Both move on while the plot stands.
    if (options.scales?.x) options.scales.x.range = () => [latest.current.from, latest.current.to];
    const plot = new uPlot(options, plotted(now), element);
    made.current = plot;
    const endTouch = followTouch(plot);
    return () => {
      endTouch();
      made.current = undefined;
      plot.destroy();
    };
  }, [kind, scheme, width === 0]);

  useEffect(() => {
    if (width > 0) made.current?.setSize({ width, height });
  }, [width, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: from and to are read while the data is set
  useEffect(() => {
    made.current?.setData(plotted(data));
  }, [data, from, to]);

  useImperativeHandle(ref, () => ({ point: pointAt }));

  return <div ref={box} className={classes.plot} style={{ height }} />;
}

/** How wide an element is, in whole CSS pixels; 0 until it is known. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/**
 * The colour that a CSS colour comes to at an element, for a canvas, which knows neither variables nor `light-dark()`.
 *
 * @param color any CSS colour
 */
function resolvedColor(element: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  probe.hidden = true;
  element.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** Moves the cursor of a plot from outside. */
export interface PlotHandle {
  /** @param index a point, null for none */
  point(index: number | null): void;
}

function plotted({ times, values }: Aligned): uPlot.AlignedData {
  return [[...times], ...values.map((one) => [...one])];
}

/** A finger that moves along the curve moves the cursor; up and down it scrolls the page. @returns what ends it */
function followTouch(plot: uPlot): () => void {
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') return;
    const { left } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: event.clientX - left, top: 0 });
  };
  plot.over.addEventListener('pointerdown', move);
  plot.over.addEventListener('pointermove', move);
  return () => {
    plot.over.removeEventListener('pointerdown', move);
    plot.over.removeEventListener('pointermove', move);
  };
}
