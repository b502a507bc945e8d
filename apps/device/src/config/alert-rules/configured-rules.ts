import type { AlertCondition, AlertRuleEntry } from '@heliograph/contracts';
import { checkRules } from './alert-rules.ts';
import { builtInRule } from './built-in-rules.ts';

/** A rule as the configuration file has it: fields of a built-in one that are left out are as they were delivered. */
export interface ConfiguredRule extends Partial<AlertCondition> {
  readonly id: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly severity?: AlertRuleEntry['severity'];
}

/** A mistake in a rule of the file. */
export interface ConfiguredRuleProblem {
  readonly index: number;
  /** A field of the rule; empty for the whole of it. */
  readonly field: string;
  readonly message: string;
}

export function configuredRule({
  id,
  name,
  enabled,
  severity,
  ...condition
}: ConfiguredRule): AlertRuleEntry {
  const delivered = builtInRule(id);
  return {
    id,
    name: name ?? null,
    enabled: enabled ?? true,
    severity: severity ?? delivered?.severity ?? 'warning',
    condition: { kind: 'above', topics: [], for_s: 0, ...delivered?.condition, ...condition },
  };
}

/** Checks what the schema of the file cannot. */
export function configuredRuleProblems(rules: readonly ConfiguredRule[]): readonly ConfiguredRuleProblem[] {
  const missing = rules.flatMap(({ id, kind }, index) =>
    kind === undefined && builtInRule(id) === undefined
      ? [{ index, field: 'id', message: `${id} is no built-in rule, and one of your own needs a "kind"` }]
      : [],
  );
  if (missing.length > 0) return missing;
  return checkRules(rules.map(configuredRule)).map(([path, message]) => {
    const [, index = '0', ...field] = path.split('.');
    return { index: Number(index), field: field.filter((step) => step !== 'condition').join('.'), message };
  });
}
