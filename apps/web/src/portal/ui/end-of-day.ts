/**
 * When a day is over where the reader is.
 *
 * @param date as an input has it, `2026-12-31`
 * @returns undefined for what is no date yet
 */
export function endOfDay(date: string): Date | undefined {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end;
}
