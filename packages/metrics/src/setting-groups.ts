import { groupBy } from '@heliograph/kit/group-by';

/** The subjects of settings, in the order in which people look for them. */
export const SETTING_GROUPS = ['battery', 'schedule', 'grid', 'solar', 'generator', 'inverter'] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** The first that a name holds decides: "Max grid charge current" is about the battery, that the grid charges. */
const RULES: readonly (readonly [SettingGroup, RegExp])[] = [
  ['schedule', /\b(?:timer|slot|time point|point \d|schedule)\b|\bprog(?:ram)?\d? \b/i],
  ['generator', /\bgen(?:erator)?\b/i],
  ['grid', /export|import|\bsell|feed|peak[- ]shaving/i],
  [
    'battery',
    /batter|charg|discharg|state of charge|\bsoc\b|capacity|float|absorption|equali[sz]|\bbms\b|lithium|reserve|storage|\bems\b/i,
  ],
  ['grid', /grid|utility|meter|input (?:current|voltage)/i],
  ['solar', /solar|\bpv\b|mppt|active power limit/i],
];

/** The subject of a setting, by its name: families use the same words. */
export function settingGroupOf(name: string): SettingGroup {
  return RULES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'inverter';
}

/** The place of a setting in a table of slots, such as the time points of a timer. */
export interface SettingSlot {
  /** The name of the table; empty where the hardware has one without a name. */
  readonly table: string;
  /** The row. */
  readonly number: number;
  /** The column. */
  readonly field: string;
}

/** Fewer rows or columns are no table. */
const MIN_ROWS = 2;
const MIN_FIELDS = 2;

/**
 * The slots among the settings of a unit, by their names: "Grid charge slot 2 start", "Time point 2" beside "Power
 * point 2".
 */
export function settingSlots(names: readonly string[]): ReadonlyMap<string, SettingSlot> {
  const slots = new Map(
    names.flatMap((name) => {
      const slot = slotOf(name);
      return slot === undefined ? [] : [[name, slot] as const];
    }),
  );
  const tables = groupBy(slots.values(), ({ table }) => table);
  const isTable = (table: string): boolean => {
    const members = tables.get(table) ?? [];
    const rows = new Set(members.map(({ number }) => number)).size;
    return rows >= MIN_ROWS && new Set(members.map(({ field }) => field)).size >= MIN_FIELDS;
  };
  const isColumn = ({ table, field }: SettingSlot): boolean =>
    (tables.get(table) ?? []).filter((other) => other.field === field).length >= MIN_ROWS;
  return new Map([...slots].filter(([, slot]) => isTable(slot.table) && isColumn(slot)));
}

/** The slot that a name is of; undefined where it has no number. */
export function slotOf(name: string): SettingSlot | undefined {
  const [, table, number, field] = /^(.+?) slot (\d+) (.+)$/.exec(name) ?? [];
  if (table !== undefined && field !== undefined) {
    return { table, number: Number(number), field: field.replace(/^./, (initial) => initial.toUpperCase()) };
  }
  const [, column, row] = /^(.+?)(?: point)? (\d+)$/.exec(name) ?? [];
  return column === undefined ? undefined : { table: '', number: Number(row), field: column };
}
