import { aligned, type CurveSeries } from '../components/curve/series.ts';

/**
 * Curves as a table (RFC 4180): one row a point in time, ISO 8601 in UTC, numbers with a point; unknown is empty.
 *
 * @param timeHeading what stands above the times
 */
export function csvOf(series: readonly CurveSeries[], timeHeading: string): string {
  const { times, values } = aligned(series);
  const headings = [
    timeHeading,
    ...series.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`)),
  ];
  const rows = times.map((time, index) => [
    new Date(time * 1000).toISOString(),
    ...values.map((one) => `${one[index] ?? ''}`),
  ]);
  return [headings, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
