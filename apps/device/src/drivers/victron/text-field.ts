import type { MetricValue, Quantity } from '@heliograph/metrics';
import { quantities } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';
import { bitLabels, codeLabel } from './states.ts';

/** A label of the text protocol and the quantity it is. */
export interface VeDirectField {
  readonly label: string;
  readonly quantity: Quantity;
  /** Null for what the device does not know, which it sends as `---`, and for what is no such value. */
  readonly read: (text: string) => MetricValue;
  /** What has to be known besides, for people. */
  readonly remark?: string;
}

const WHOLE = /^[+-]?\d+$/;
const HEXADECIMAL = /^0x[0-9a-f]{1,8}$/i;

/** @param per what the number that is sent counts in one unit of the quantity */
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

/** Minutes; a negative number means that it never ends, which no number of seconds says. */
export function minutes(label: string, quantity: Quantity, remark: string): VeDirectField {
  const read = (text: string): MetricValue => (/^\d+$/.test(text) ? Number(text) * 60 : null);
  return { label, quantity, read, remark };
}

function withRemark(field: VeDirectField, remark: string | undefined): VeDirectField {
  return remark === undefined ? field : { ...field, remark };
}
