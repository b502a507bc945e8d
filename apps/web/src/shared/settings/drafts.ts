import type { MetricValue } from '@heliograph/client';
import { type ControlRule, timeOf } from './control-rule.ts';
import { type NumberProblem, parseNumber, typedNumber } from './numbers.ts';

/** The reason that a draft cannot be sent. */
export type DraftProblem = NumberProblem | 'notOption';

/** Texts that devices report for a switch that is on, besides the one that they take. */
const ON: ReadonlySet<string> = new Set(['1', 'on', 'true', 'enabled', 'yes']);
const OFF: ReadonlySet<string> = new Set(['0', 'off', 'false', 'disabled', 'no']);

/** The text in the control of a setting with this value; empty when it is unknown. */
export function draftOf(rule: ControlRule, value: MetricValue, decimal: string): string {
  if (value === null) return '';
  switch (rule.kind) {
    case 'number':
      return typeof value === 'number' ? typedNumber(value, decimal) : '';
    case 'time':
      return timeOf(String(value)) ?? '';
    case 'select':
      return String(value);
    case 'switch': {
      const on = isOn(rule, value);
      return on === null ? '' : on ? rule.on : rule.off;
    }
  }
}

/** Whether a switch is on; null when it is unknown. */
export function isOn(
  rule: { readonly on: string; readonly off: string },
  value: MetricValue,
): boolean | null {
  if (typeof value === 'boolean' || value === null) return value;
  const text = String(value).toLowerCase();
  if (text === rule.on.toLowerCase()) return true;
  if (text === rule.off.toLowerCase()) return false;
  if (ON.has(text)) return true;
  return OFF.has(text) ? false : null;
}

/** The payload for the text in a control, or the reason that it cannot be sent. */
export function payloadOf(
  rule: ControlRule,
  draft: string,
  decimal: string,
): { readonly payload: string } | { readonly problem: DraftProblem } {
  switch (rule.kind) {
    case 'number': {
      const read = parseNumber(draft, rule, decimal);
      return typeof read === 'string' ? { problem: read } : { payload: read.payload };
    }
    case 'time': {
      const option = rule.options.find((one) => timeOf(one) === timeOf(draft) && timeOf(draft) !== null);
      return option === undefined ? { problem: 'notOption' } : { payload: option };
    }
    case 'select':
      return rule.options.includes(draft) ? { payload: draft } : { problem: 'notOption' };
    case 'switch':
      return draft === rule.on || draft === rule.off ? { payload: draft } : { problem: 'notOption' };
  }
}

/** The value that a device reports after accepting a payload. */
export function expectedValue(rule: ControlRule, payload: string): MetricValue {
  if (rule.kind === 'number') return Number(payload);
  return rule.kind === 'switch' ? payload === rule.on : payload;
}
