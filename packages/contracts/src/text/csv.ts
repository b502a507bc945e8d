export type CsvCell = string | number | null | undefined;

/** The marks between cells, and between the whole part of a number and its fraction. */
export interface CsvFormat {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

/** RFC 4180, for programs. */
const PLAIN: CsvFormat = { separator: ',', decimal: '.' };

/** Rows of RFC 4180, each with its line break. Unknown cells are empty. */
export function csvOf(rows: readonly (readonly CsvCell[])[], format = PLAIN): string {
  return rows.map((cells) => `${csvLine(cells, format)}\r\n`).join('');
}

/** A row without its line break. */
export function csvLine(cells: readonly CsvCell[], format = PLAIN): string {
  return cells.map((cell) => quoted(cell, format)).join(format.separator);
}

/** The first character of a file, without which Excel reads UTF-8 as the code page of the machine. */
export const BYTE_ORDER_MARK = '\u{FEFF}';

/** Rows as a file that spreadsheets of a reader open by themselves. @param locale BCP 47, with the region where it is known */
export function spreadsheetCsv(rows: readonly (readonly CsvCell[])[], locale: string): string {
  return BYTE_ORDER_MARK + csvOf(rows, spreadsheetFormat(locale));
}

/** Regions that separate lists by semicolons though their decimal mark is a point. */
const SEMICOLON_AND_POINT: ReadonlySet<string | undefined> = new Set(['CH', 'LI']);

/** The marks that spreadsheets of a language and region expect; those of English for an unknown one. @param locale BCP 47 */
export function spreadsheetFormat(locale: string): CsvFormat {
  const parts = new Intl.NumberFormat([locale, 'en']).formatToParts(0.5);
  const isComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  const { region } = new Intl.Locale(locale);
  return {
    separator: isComma || SEMICOLON_AND_POINT.has(region) ? ';' : ',',
    decimal: isComma ? ',' : '.',
  };
}

/** Spreadsheets take texts for formulas that begin with one of these, in their wide forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** An apostrophe makes a formula a text. */
function quoted(cell: CsvCell, { separator, decimal }: CsvFormat): string {
  const text = typeof cell === 'number' ? numberText(cell, decimal) : (cell ?? '');
  const isFormula = typeof cell === 'string' && FORMULA.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  const isPlain = !/["\r\n]/.test(safe) && !safe.includes(separator);
  return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`;
}

/** Empty for what is no number. */
function numberText(value: number, decimal: CsvFormat['decimal']): string {
  return Number.isFinite(value) ? String(value).replace('.', decimal) : '';
}
