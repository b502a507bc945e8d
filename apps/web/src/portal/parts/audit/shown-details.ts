/** One thing of a record, in the service's own words: the log is about the names that programs know. */
export interface Detail {
  readonly name: string;
  readonly text: string;
}

/** What changed. A pair of `from` and `to`, at the top or of one field, reads as an arrow. */
export function shownDetails(details: Readonly<Record<string, unknown>>): readonly Detail[] {
  if (isChange(details)) {
    const { from, to, ...others } = details;
    return [{ name: '', text: `${textOf(from)} → ${textOf(to)}` }, ...shownDetails(others)];
  }
  return Object.entries(details).map(([name, value]) => ({
    name,
    text: isChange(value) ? `${textOf(value.from)} → ${textOf(value.to)}` : textOf(value),
  }));
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}
