import type { AlertRule, AlertRuleEntry } from '@heliograph/contracts';
import { normalizeTyped } from '@heliograph/contracts/typed-text';

/** The rules that a device is sent: those of the owner, and built-in ones that differ from how they were delivered. */
export function entriesOf(rules: readonly AlertRule[]): AlertRuleEntry[] {
  return rules
    .filter(({ source, changed }) => source === 'owner' || (source === 'built_in' && changed))
    .map(entryOf);
}

export function entryOf({ id, name, enabled, severity, condition }: AlertRule): AlertRuleEntry {
  return { id, name, enabled, severity, condition };
}

/** The list with a rule in the place of the one with its id, or after all others. */
export function withEntry(rules: readonly AlertRule[], entry: AlertRuleEntry): AlertRuleEntry[] {
  return [...entriesOf(rules).filter(({ id }) => id !== entry.id), entry];
}

/** Without a rule of the owner; a built-in one is as it was delivered again. */
export function withoutEntry(rules: readonly AlertRule[], id: string): AlertRuleEntry[] {
  return entriesOf(rules).filter((entry) => entry.id !== id);
}

/** @example freeId(rules) // own_1 */
export function freeId(rules: readonly Pick<AlertRule, 'id'>[]): string {
  const ids = new Set(rules.map(({ id }) => id));
  let number = 1;
  while (ids.has(`own_${number}`)) number += 1;
  return `own_${number}`;
}

/** @returns null for text that is no number; a comma is a decimal point */
export function parseNumber(text: string): number | null {
  const plain = normalizeTyped(text);
  const number = Number(plain.replace(',', '.'));
  return plain === '' || !Number.isFinite(number) ? null : number;
}
