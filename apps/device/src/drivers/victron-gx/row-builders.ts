import type { Quantity } from '@heliograph/metrics';
import type { NumberLayout, RegisterRow } from '../modbus/row.ts';
import type { CodeLabels } from '../registers.ts';

type GxNumberType = 'u16' | 's16' | 'u32' | 's32';

/**
 * A number at the end of its type's range was too large for it, and all ones in an unsigned one are a register that is
 * reserved: neither is a value.
 */
const NO_VALUE: Readonly<Record<GxNumberType, readonly number[]>> = {
  u16: [0xffff],
  s16: [0x7fff, 0x8000],
  u32: [0xffff_ffff],
  s32: [0x7fff_ffff, 0x8000_0000],
};

type GxNumberOptions = Pick<NumberLayout, 'scale' | 'unlimited' | 'wholeCounts'> & {
  /** A GX sends 0 for what it does not have, and this is never really 0. */
  readonly zeroIsUnknown?: true;
};

/** A number from its first register on, high word first. */
export function numberRow(
  quantity: Quantity,
  register: number,
  type: GxNumberType,
  { zeroIsUnknown, ...options }: GxNumberOptions = {},
): RegisterRow {
  const isWide = type === 'u32' || type === 's32';
  return {
    quantity,
    registers: isWide ? [register + 1, register] : [register],
    type,
    noValue: zeroIsUnknown ? [0, ...NO_VALUE[type]] : NO_VALUE[type],
    ...options,
  };
}

export function codeRow(
  quantity: Quantity,
  register: number,
  labels: CodeLabels,
): Extract<RegisterRow, { type: 'code' }> {
  return { quantity, registers: [register], type: 'code', labels };
}
