import { personName } from '@heliograph/kit/person-name';
import { type Column, printable, table } from '@heliograph/kit/terminal';
import type { CommandResult } from './command.ts';

/** A column: its title, and the cell of an item. */
export type Columns<T> = readonly (readonly [
  title: string,
  show: (item: T) => Cell,
  align?: Column['align'],
])[];

export type Cell = string | number | boolean | null;

/** A list as a table. @param nouns plural of the items, for the note about an empty list */
export function listing<T>(items: readonly T[], columns: Columns<T>, nouns: string): CommandResult {
  if (items.length === 0) return { value: items, lines: [], note: `No ${nouns}` };
  const titles = columns.map(
    ([title, , align]): Column => (align === undefined ? { title } : { title, align }),
  );
  const rows = items.map((item) => columns.map(([, show]) => textOf(show(item))));
  return { value: items, lines: table(titles, rows) };
}

/** A record, a line for each of its fields. */
export function record(
  value: unknown,
  fields: Readonly<Record<string, Cell>>,
): Pick<CommandResult, 'value' | 'lines'> {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return {
    value,
    lines: Object.entries(fields).map(([name, cell]) => `${name.padEnd(width)}  ${textOf(cell)}`),
  };
}

/** A date-time of the API to the minute, in UTC. */
export function minuteOf(dateTime: string | null): string | null {
  return dateTime === null ? null : `${dateTime.slice(0, 16).replace('T', ' ')}Z`;
}

/** A person's name with the email address; the address alone without a name. */
export function personCell(person: Parameters<typeof personName>[0]): string {
  const name = personName(person);
  return name === person.email ? name : `${name} (${person.email})`;
}

function textOf(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(String(cell));
}
