import type { MetricValue, Quantity } from '@heliograph/metrics';
import { quantities } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';
import { bitLabels, codeLabel } from './states.ts';

/** A label of the text protocol and the quantity it is. */
export interface VeDirectField {
  readonly label: string;
  readonly quantity: Quantity;
  /** Null for an unknown value, which the device sends as `---`, and for an invalid one. */
  readonly read: (text: string) => MetricValue;
  /** A condition or limitation, for the README. */
  readonly remark?: string;
}

const WHOLE = /^[+-]?\d+$/;
const HEXADECIMAL = /^0x[0-9a-f]{1,8}$/i;

/** @param per counts of the sent number in one unit of the quantity */
export function number(label: string, quantity: Quantity, per = 1, remark?: string): VeDirectField {
  return withRemark(
    { label, quantity, read: (text) => (WHOLE.test(text) ? Number(text) / per : null) },
    remark,
  );
}

export function choice(label: string, name: string, labels: CodeLabels): VeDirectField {
  return {
    label,
    quantity: quantities.state(name),
    read: (text) => (WHOLE.test(text) ? codeLabel(labels, Number(text)) : null),
  };
}

/** Bits in decimal or with `0x` before them. */
export function bits(label: string, name: string, labels: CodeLabels): VeDirectField {
  return {
    label,
    quantity: quantities.state(name),
    read: (text) => (WHOLE.test(text) || HEXADECIMAL.test(text) ? bitLabels(labels, Number(text)) : null),
  };
}

export function onOff(label: string, name: string): VeDirectField {
  const labels: Readonly<Record<string, string>> = { ON: 'On', OFF: 'Off' };
  return { label, quantity: quantities.state(name), read: (text) => labels[text] ?? null };
}

/** Minutes as seconds; a negative number means "never ends" and is null. */
export function minutes(label: string, quantity: Quantity, remark: string): VeDirectField {
  const read = (text: string): MetricValue => (/^\d+$/.test(text) ? Number(text) * 60 : null);
  return { label, quantity, read, remark };
}

function withRemark(field: VeDirectField, remark: string | undefined): VeDirectField {
  return remark === undefined ? field : { ...field, remark };
}
