/** A language, with its script and region at most, in BCP 47. */
export const CSV_LOCALE = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$';

const EXPRESSION = new RegExp(CSV_LOCALE);

/** Whether a text names a language whose spreadsheets CSV can be for. */
export function isCsvLocale(text: string): boolean {
  return EXPRESSION.test(text);
}
