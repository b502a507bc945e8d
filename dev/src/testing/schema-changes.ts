/** A column, as far as code that does not know later changes depends on it. */
export interface ColumnFacts {
  readonly type: string;
  readonly nullable: boolean;
  /** Whether an insert may leave it out although it is not nullable. */
  readonly hasDefault: boolean;
}

export interface TableFacts {
  readonly columns: Readonly<Record<string, ColumnFacts>>;
  /** Rules that a row must fulfil, as the database prints them: checks, foreign keys, unique indexes. */
  readonly rules: readonly string[];
}

export type SchemaFacts = Readonly<Record<string, TableFacts>>;

/**
 * Changes that break code which was written for the tables before: all that is no addition, and additions that its inserts
 * do not fulfil. Each is a sentence.
 */
export function breakingChanges(before: SchemaFacts, after: SchemaFacts): readonly string[] {
  return Object.entries(before).flatMap(([table, { columns, rules }]) => {
    const now = after[table];
    if (now === undefined) return [`table ${table} is gone`];
    return [
      ...Object.entries(columns).flatMap(([name, column]) =>
        changesOf(`${table}.${name}`, column, now.columns[name]),
      ),
      ...Object.entries(now.columns)
        .filter(([name, { nullable, hasDefault }]) => columns[name] === undefined && !nullable && !hasDefault)
        .map(([name]) => `${table}.${name} is new, not null and without a default`),
      ...rules.filter((rule) => !now.rules.includes(rule)).map((rule) => `${table} has no more: ${rule}`),
      ...now.rules
        .filter((rule) => !rules.includes(rule))
        .map((rule) => `${table} has the new rule: ${rule}`),
    ];
  });
}

function changesOf(name: string, before: ColumnFacts, now: ColumnFacts | undefined): readonly string[] {
  if (now === undefined) return [`${name} is gone`];
  const changes = [
    now.type !== before.type && `${name} is ${now.type} in place of ${before.type}`,
    before.nullable && !now.nullable && `${name} takes no null any more`,
    !before.nullable && now.nullable && `${name} may be null`,
    before.hasDefault && !now.hasDefault && !now.nullable && `${name} has no default any more`,
  ];
  return changes.filter((change) => change !== false);
}
