import type { Quantity } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';

/** One quantity and the registers that it stands in. */
export type GxRegisterRow = RowBase & GxLayout;

interface RowBase {
  readonly quantity: Quantity;
  /** Zero-based address of the first register. */
  readonly register: number;
}

export type GxLayout = GxNumberLayout | GxCodeLayout | GxAlarmsLayout | GxTextLayout;

/**
 * High word first. A number at the end of its type's range was too large for it, and all ones in an unsigned one are
 * a register that is reserved: neither is a value.
 */
export interface GxNumberLayout {
  readonly type: 'u16' | 's16' | 'u32' | 's32';
  /** The value of one count in the quantity's unit; 1 when left out. */
  readonly factor?: number;
  /** A GX sends 0 for what it does not have, and this is never really 0. */
  readonly zeroIsUnknown?: true;
  /** A setting of which -1 means that there is no limit, in counts as in the quantity's unit. */
  readonly unlimited?: true;
}

/** One of several labels; of several codes with the same text the lowest is the one that is written. */
export interface GxCodeLayout {
  readonly type: 'code';
  readonly labels: CodeLabels;
}

/** Neighbouring registers, each of which holds 0, warning (1) or alarm (2) for one condition. */
export interface GxAlarmsLayout {
  readonly type: 'alarms';
  readonly labels: readonly string[];
}

/** Two characters a register, the first one high. */
export interface GxTextLayout {
  readonly type: 'text';
  readonly length: number;
}

/** How many registers it takes. */
export function widthOf(row: GxRegisterRow): number {
  switch (row.type) {
    case 'u32':
    case 's32':
      return 2;
    case 'alarms':
      return row.labels.length;
    case 'text':
      return row.length;
    default:
      return 1;
  }
}
