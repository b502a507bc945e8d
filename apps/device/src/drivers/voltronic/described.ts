import type { DescribedQuantity } from '../described-unit.ts';
import type { FieldRow } from './fields.ts';
import type { CommandSetting } from './setting.ts';

/** The rows of an answer. */
export function describedRows(command: string, rows: readonly FieldRow[]): readonly DescribedQuantity[] {
  return rows.map(({ at, quantity, remark }) => ({
    quantity,
    from: rows.every((row) => row.at === 0) ? command : `${command} field ${at}`,
    ...(remark === undefined ? {} : { remark }),
  }));
}

export function describedSettings(settings: readonly CommandSetting[]): readonly DescribedQuantity[] {
  return settings.map(({ quantity, from, remark }) => ({
    quantity,
    from,
    ...(remark === undefined ? {} : { remark }),
  }));
}
