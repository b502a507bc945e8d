import { isDeepStrictEqual } from 'node:util';
import {
  type AlertCondition,
  AlertRuleEntry,
  type AlertRuleListBody,
  type ConditionKind,
  MAX_OWN_RULES,
  OWN_CONDITION_KINDS,
  type RULE_SOURCES,
} from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { BUILT_IN_RULES, builtInRule } from './built-in-rules.ts';

const KEY = 'alert_rules';

const STORED = Compile(Type.Array(AlertRuleEntry));

/** A rule as it is in force. */
export interface Rule extends AlertRuleEntry {
  readonly source: (typeof RULE_SOURCES)[number];
}

export interface AlertRulesOptions {
  readonly store: Pick<KeyValueStore, 'json' | 'set'>;
  /** Rules of the configuration file, which no request changes. */
  readonly configured: readonly AlertRuleEntry[];
}

/** The rules that are in force: built-in ones, those of the configuration file, and those of the owner. */
export class AlertRules {
  readonly #options: AlertRulesOptions;
  #own: readonly AlertRuleEntry[];
  #all: readonly Rule[];

  constructor(options: AlertRulesOptions) {
    this.#options = options;
    this.#own = options.store.json(KEY, STORED, []);
    this.#all = combine(options.configured, this.#own);
  }

  /** Built-in rules first, in a fixed order. The list is another object once anything has changed. */
  get all(): readonly Rule[] {
    return this.#all;
  }

  /** @throws ValidationError for rules that contradict themselves, and for what cannot be changed here */
  set({ rules }: AlertRuleListBody): void {
    const { store, configured } = this.#options;
    const problems = checkRules(rules);
    for (const [i, { id }] of rules.entries()) {
      const fixed = configured.find((rule) => rule.id === id);
      if (fixed !== undefined && !isDeepStrictEqual(fixed, rules[i])) {
        problems.push([`rules.${i}.id`, `${id} is set in the configuration file`]);
      }
    }
    throwIfAny(problems);
    const own = rules.filter(
      (rule) =>
        !configured.some(({ id }) => id === rule.id) &&
        !isDeepStrictEqual(entryOf(builtInRule(rule.id)), rule),
    );
    store.set(KEY, JSON.stringify(own));
    this.#own = own;
    this.#all = combine(configured, own);
  }
}

/** Field and complaint. */
export type RuleProblem = readonly [field: string, message: string];

/** The contradictions in a list of rules, of the owner or of the configuration file. */
export function checkRules(rules: readonly AlertRuleEntry[]): RuleProblem[] {
  const problems = rules.flatMap((rule, i) =>
    checkRule(rule).map(([field, message]): RuleProblem => [`rules.${i}.${field}`, message]),
  );
  const ids = rules.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) problems.push(['rules', `has ${twice} twice`]);
  const own = rules.filter(({ id }) => builtInRule(id) === undefined);
  if (own.length > MAX_OWN_RULES) problems.push(['rules', `must have at most ${MAX_OWN_RULES} of your own`]);
  return problems;
}

function throwIfAny(problems: readonly RuleProblem[]): void {
  if (problems.length === 0) return;
  const fields = Map.groupBy(problems, ([field]) => field);
  throw new ValidationError(
    Object.fromEntries([...fields].map(([field, all]) => [field, all.map(([, message]) => message)])),
  );
}

function checkRule(rule: AlertRuleEntry): RuleProblem[] {
  const delivered = builtInRule(rule.id);
  const { kind, topics, limit, clear_limit: clearLimit, values } = rule.condition;
  if (delivered !== undefined) return checkBuiltIn(rule, delivered);
  const problems: RuleProblem[] = [];
  const complain = (field: string, message: string): number => problems.push([`condition.${field}`, message]);
  if (!isOwnKind(kind)) complain('kind', `must be ${OWN_CONDITION_KINDS.join(', ')} for a rule of your own`);
  if (topics.length === 0) complain('topics', 'must name a topic');
  const isNumeric = kind === 'above' || kind === 'below';
  if (isNumeric && limit === undefined) complain('limit', `is missing: ${kind} needs it`);
  if (kind === 'equals' && values === undefined) complain('values', 'is missing: equals needs it');
  for (const field of FIELDS[kind] ?? []) {
    if (rule.condition[field] !== undefined) complain(field, `means nothing for ${kind}`);
  }
  if (isNumeric && limit !== undefined && clearLimit !== undefined) {
    if (kind === 'above' ? clearLimit > limit : clearLimit < limit)
      complain('clear_limit', `must be ${kind === 'above' ? 'at most' : 'at least'} the limit`);
  }
  if (kind === 'unchanged' && rule.condition.for_s < 600)
    complain('for_s', 'must be at least 600 for unchanged');
  return problems;
}

/** Fields that a kind of condition does not have. */
const FIELDS: Partial<Record<ConditionKind, readonly (keyof AlertCondition)[]>> = {
  above: ['values', 'only_after'],
  below: ['values'],
  equals: ['limit', 'clear_limit', 'only_after'],
  unchanged: ['limit', 'clear_limit', 'only_after', 'values'],
};

function isOwnKind(kind: ConditionKind): boolean {
  return OWN_CONDITION_KINDS.some((own) => own === kind);
}

/** Numbers and texts of a built-in rule can be changed, and what it is cannot. */
function checkBuiltIn(rule: AlertRuleEntry, delivered: AlertRuleEntry): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const { condition, name } = rule;
  if (name !== null) problems.push(['name', 'cannot be changed: the rule is a built-in one']);
  const given = Object.keys(condition).toSorted();
  if (condition.kind !== delivered.condition.kind) {
    problems.push(['condition.kind', `must be ${delivered.condition.kind}: the rule is a built-in one`]);
  } else if (!isDeepStrictEqual(given, Object.keys(delivered.condition).toSorted())) {
    const fields = Object.keys(delivered.condition).join(', ');
    problems.push(['condition', `must have these fields: ${fields}`]);
  } else if (condition.kind === 'above' || condition.kind === 'below') {
    const { limit = 0, clear_limit: clearLimit = limit } = condition;
    if (condition.kind === 'above' ? clearLimit > limit : clearLimit < limit)
      problems.push([
        'condition.clear_limit',
        `must be ${condition.kind === 'above' ? 'at most' : 'at least'} the limit`,
      ]);
  }
  return problems;
}

function combine(configured: readonly AlertRuleEntry[], own: readonly AlertRuleEntry[]): readonly Rule[] {
  const byId = new Map<string, Rule>();
  for (const rule of BUILT_IN_RULES) byId.set(rule.id, { ...entryOf(rule), source: 'built_in' });
  for (const rule of own) byId.set(rule.id, { ...rule, source: builtInRule(rule.id) ? 'built_in' : 'owner' });
  for (const rule of configured) byId.set(rule.id, { ...rule, source: 'configuration' });
  return [...byId.values()];
}

function entryOf(rule: AlertRuleEntry): AlertRuleEntry;
function entryOf(rule: AlertRuleEntry | undefined): AlertRuleEntry | undefined;
function entryOf(rule: AlertRuleEntry | undefined): AlertRuleEntry | undefined {
  if (rule === undefined) return undefined;
  const { id, name, enabled, severity, condition } = rule;
  return { id, name, enabled, severity, condition };
}
