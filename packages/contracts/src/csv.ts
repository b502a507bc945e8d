export type CsvCell = string | number | null | undefined;

/** Rows of RFC 4180, each with its line break. Unknown cells are empty. */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${csvLine(cells)}\r\n`).join('');
}

/** A row without its line break. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(quoted).join(',');
}

/** Spreadsheets take texts for formulas that begin with one of these, in their wide forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** An apostrophe makes a formula a text. */
function quoted(cell: CsvCell): string {
  const text = String(cell ?? '');
  const safe = FORMULA.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
