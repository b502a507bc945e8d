import type { MetricDefinition } from '@heliograph/client';
import { groupBy } from '@heliograph/kit/group-by';
import type { SettingSlot } from '@heliograph/metrics';
import type { ReactNode } from 'react';
import classes from './slot-table.module.css';
import { useSettingNames } from './use-setting-names.ts';

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
  const { nameOf } = useSettingNames();
  const fields = [...new Set(cells.map(({ slot }) => slot.field))];
  const rows = [...groupBy(cells, ({ slot }) => slot.number)].toSorted(([a], [b]) => a - b);
  return (
    <table className={classes.table}>
      <caption data-hidden={isTitled ? undefined : ''}>{nameOf(title)}</caption>
      <thead>
        <tr>
          <td />
          {fields.map((field) => (
            <th key={field} scope="col">
              {nameOf(field)}
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
                <td key={field} data-label={nameOf(field)}>
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
