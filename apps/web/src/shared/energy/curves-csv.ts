import { csvOf } from '@heliograph/contracts/csv';
import { aligned, type CurveSeries } from '../components/curve/series.ts';

/**
 * Curves as CSV: one row a point in time, ISO 8601 in UTC, numbers with a point; unknown is empty.
 *
 * @param timeHeading what stands above the times
 */
export function curvesCsv(series: readonly CurveSeries[], timeHeading: string): string {
  const { times, values } = aligned(series);
  const headings = [
    timeHeading,
    ...series.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`)),
  ];
  const rows = times.map((time, index) => [
    new Date(time * 1000).toISOString(),
    ...values.map((one) => one[index]),
  ]);
  return csvOf([headings, ...rows]);
}
