/** The day where the reader is, as an input has it: `2026-12-31`. */
export function today(now = new Date()): string {
  const day = new Date(now);
  day.setMinutes(day.getMinutes() - day.getTimezoneOffset());
  return day.toISOString().slice(0, 10);
}

/**
 * When a payment came that is known by its day.
 *
 * @returns noon of the day where the reader is; undefined for today, and for what is no date, so that the service takes the
 * present moment
 */
export function paymentMoment(date: string, now = new Date()): Date | undefined {
  const noon = new Date(`${date}T12:00:00`);
  return date === today(now) || Number.isNaN(noon.getTime()) ? undefined : noon;
}
