import type { DELIVERED_RULES } from '@heliograph/contracts';
import { RULE_NAMES } from '../../../shared/alerts/rule-names.ts';

/** Labels of the rules whose alerts give messages: those of the cloud, and those of devices as they are delivered. */
export const RULES_OF_MESSAGES = {
  offline: 'texts.offline',
  no_data: 'texts.no_data',
  too_many_alerts: 'texts.too_many_alerts',
  ...RULE_NAMES,
} as const satisfies Record<(typeof DELIVERED_RULES)[number], string>;
export type MessageRule = keyof typeof RULES_OF_MESSAGES;

/** How many of these rules give messages to a reader who has muted some. */
export function countOfWanted(muted: readonly string[]): { readonly shown: number; readonly all: number } {
  const rules = Object.keys(RULES_OF_MESSAGES);
  return { shown: rules.filter((rule) => !muted.includes(rule)).length, all: rules.length };
}
