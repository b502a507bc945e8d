import type { MetricDefinition } from '@heliograph/client';
import type { SettingSlot } from '@heliograph/metrics';
import type { ReactNode } from 'react';
import classes from './slot-table.module.css';

interface SlotCell {
  readonly definition: MetricDefinition;
  readonly slot: SettingSlot;
}

interface SlotTableProps {
  readonly title: string;
  /** Whether the title is shown: it is not where a heading above has it. */
  readonly isTitled: boolean;
  readonly cells: readonly SlotCell[];
  /** Renders the setting of a cell. */
  readonly children: (definition: MetricDefinition) => ReactNode;
}

/** The slots of a timer: a row for each, a column for each of its settings; on a phone a card for each. */
export function SlotTable({ title, isTitled, cells, children }: SlotTableProps) {
  const fields = [...new Set(cells.map(({ slot }) => slot.field))];
  const rows = [...Map.groupBy(cells, ({ slot }) => slot.number)].toSorted(([a], [b]) => a - b);
  return (
    <table className={classes.table}>
      <caption data-hidden={isTitled ? undefined : ''}>{title}</caption>
      <thead>
        <tr>
          <td />
          {fields.map((field) => (
            <th key={field} scope="col">
              {field}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([number, members]) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            {fields.map((field) => {
              const cell = members.find(({ slot }) => slot.field === field);
              return (
                <td key={field} data-label={field}>
                  {cell !== undefined && children(cell.definition)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
