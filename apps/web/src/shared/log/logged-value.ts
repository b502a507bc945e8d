import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { ruleOf } from '../settings/control-rule.ts';
import { isOn } from '../settings/drafts.ts';

/** The log keeps texts, whatever they were. @returns the value as the setting has it now; null is unknown */
export function reportedValue(text: string | null, definition: MetricDefinition | undefined): MetricValue {
  const rule = definition === undefined ? null : ruleOf(definition);
  if (text === null || rule === null) return text;
  if (rule.kind === 'switch') return isOn(rule, text) ?? text;
  const number = Number(text);
  return rule.kind === 'number' && text.trim() !== '' && Number.isFinite(number) ? number : text;
}
