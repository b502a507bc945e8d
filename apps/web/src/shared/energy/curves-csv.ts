import type { CsvCell } from '@heliograph/contracts/csv';
import { localIso } from '@heliograph/kit/local-time';
import { aligned, type CurveSeries } from '../components/curve/series.ts';

/**
 * Curves as rows of CSV: one a point in time, ISO 8601 by the clock of the site with its offset; unknown is empty.
 *
 * @param timeHeading what stands above the times
 * @param timeZone IANA name of the site's
 */
export function curveRows(
  series: readonly CurveSeries[],
  timeHeading: string,
  timeZone: string,
): readonly (readonly CsvCell[])[] {
  const { times, values } = aligned(series);
  const headings = [
    timeHeading,
    ...series.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`)),
  ];
  const rows = times.map((time, index) => [
    localIso(time * 1000, timeZone),
    ...values.map((one) => one[index]),
  ]);
  return [headings, ...rows];
}
