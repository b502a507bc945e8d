export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

export interface TableStyle {
  readonly title: (text: string) => string;
}

/**
 * Lays rows out in columns, two spaces apart. An empty row becomes a blank line between groups.
 *
 * @returns lines without trailing spaces
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: TableStyle = { title: (text) => text },
): string[] {
  const widths = columns.map(({ title }, i) =>
    Math.max(width(title), ...rows.map((row) => width(row[i] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, i) => pad(cells[i] ?? '', widths[i] ?? 0, align ?? 'left'))
      .join('  ')
      .trimEnd();
  const titles = line(columns.map(({ title }) => title));
  return [style.title(titles), ...rows.map(line)];
}

function pad(text: string, to: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(to - width(text));
  return align === 'left' ? text + space : space + text;
}

/** Characters, not UTF-16 units. */
function width(text: string): number {
  return [...text].length;
}
