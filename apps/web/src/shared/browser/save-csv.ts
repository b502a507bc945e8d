import { type CsvCell, spreadsheetCsv } from '@heliograph/contracts/csv';
import { saveFile } from './save-file.ts';

/** Has the browser save rows as CSV that the spreadsheets of the reader open by themselves. @param locale BCP 47 */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[], locale: string): void {
  saveFile(name, new Blob([spreadsheetCsv(rows, locale)], { type: 'text/csv;charset=utf-8' }));
}
