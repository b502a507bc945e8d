import type { ManualClock } from '@heliograph/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_DIFFERENCES } from './family-differences.ts';
import { expectedWrite, ObservedDevice, type ObservedWrite } from './observed-writes.ts';
import type { SettableUnit } from './settable-unit.ts';
import type { ExpectedWrite, WriteBehaviour } from './write-behaviours.ts';
import type { WrittenSetting } from './written-settings.ts';

/** Patience for a loaded machine, in milliseconds. */
const TIMEOUT_MS = 900_000;

/** Devices that are observed side by side: most of them wait for their lines. */
const CONCURRENCY = 8;

/** A write of each setting. */
export interface Row {
  readonly family: string;
  readonly settings: readonly WrittenSetting[];
  readonly behaviour: WriteBehaviour;
}

export interface ObservedRows {
  readonly writes: ReadonlyMap<Row, Readonly<Record<string, ObservedWrite>>>;
  /** Kinds of settings that the device has, and that the rows write. */
  readonly kinds: { readonly has: readonly string[]; readonly written: readonly string[] };
}

/** Writes to one device, one after the other. */
export interface Table {
  readonly family: string;
  readonly rows: readonly Row[];
  observe(): Promise<ObservedRows>;
}

export interface TableOptions<Setting extends WrittenSetting> {
  readonly family: string;
  readonly settings: readonly Setting[];
  readonly behaviours: readonly WriteBehaviour[];
  readonly start: (clock: ManualClock) => Promise<SettableUnit<Setting>>;
  readonly intervalMs?: number;
  readonly polls?: number;
  readonly pollsBefore?: boolean;
}

export function tableOf<Setting extends WrittenSetting>(device: TableOptions<Setting>): Table {
  const { family, settings, behaviours } = device;
  const rows = behaviours.map((behaviour) => ({
    family,
    behaviour,
    settings: settings.filter((setting) => isPossible(setting, behaviour)),
  }));
  const observe = async (): Promise<ObservedRows> => {
    // No row depends on it: the clock of a unit moves by the pauses between reads alone, that of a busy machine goes on.
    const observed = await ObservedDevice.start({ ...device, deadlineMs: TIMEOUT_MS });
    try {
      const writes = new Map<Row, Record<string, ObservedWrite>>();
      for (const row of rows) {
        const seen: Record<string, ObservedWrite> = {};
        for (const batch of batchesOf(row.settings, row.behaviour))
          for (const [at, write] of (await observed.write(batch, row.behaviour)).entries())
            seen[batch[at]?.topic ?? ''] = write;
        writes.set(row, seen);
      }
      const written = settings.flatMap(({ topic }) => observed.kindOf(topic) ?? []);
      return { writes, kinds: { has: [...observed.kinds], written } };
    } finally {
      await observed.stop();
    }
  };
  return { family, rows, observe };
}

/**
 * Settings that one poll can read after they were written: each in a register of its own, of a unit that does not learn from
 * one for the next, and whose reads are answered: a busy process may take a read in when it is over.
 */
function batchesOf<Setting extends WrittenSetting>(
  settings: readonly Setting[],
  { knows, silentBefore }: WriteBehaviour,
): readonly (readonly Setting[])[] {
  const isSeparate = knows !== undefined || silentBefore === true;
  const batches: Setting[][] = [];
  for (const setting of settings) {
    const batch = batches.find(
      (one) => !isSeparate && one.every(({ at }) => at === undefined || at !== setting.at),
    );
    if (batch === undefined) batches.push([setting]);
    else batch.push(setting);
  }
  return batches;
}

/** Settings of two values cannot be put to a third. */
function isPossible({ values }: WrittenSetting, { takes, changedBefore }: WriteBehaviour): boolean {
  if (values.other !== undefined) return true;
  return changedBefore === undefined && takes.every(([, state]) => state !== 'other');
}

function expectationOf({ family, behaviour }: Row, setting: WrittenSetting): ExpectedWrite {
  const difference = FAMILY_DIFFERENCES[family]?.find(
    (one) => one.behaviour === behaviour.name && (one.topic ?? setting.topic) === setting.topic,
  );
  return { ...behaviour.expected, ...difference?.expected };
}

function matching(row: Row, setting: WrittenSetting): unknown {
  const { requests, ...expectation } = expectationOf(row, setting);
  const expected = expectedWrite(setting, row.behaviour, expectation);
  return {
    ...expected,
    requests:
      requests === undefined
        ? expect.any(Number)
        : expect.toSatisfy((count: number) => count === requests || count === requests + 1),
    answer: expect.stringContaining(expected.answer),
  };
}

/** @example namesOf(row) // max_charge_current, work_mode */
function namesOf({ settings }: Row): string {
  return settings.map(({ topic }) => topic.slice(topic.indexOf('/') + 1)).join(', ');
}

/** In the order of the tables. */
async function observeAll(tables: readonly Table[]): Promise<readonly (Table & ObservedRows)[]> {
  const observed: (Table & ObservedRows)[] = [];
  const next = tables.entries();
  const observeNext = async (): Promise<void> => {
    for (const [at, table] of next) observed[at] = { ...table, ...(await table.observe()) };
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, observeNext));
  return observed;
}

/** Tests each row of the tables, whose devices are observed side by side. */
export function describeWrites(
  title: string,
  tables: readonly Table[],
  describeMore: (observed: () => readonly (Table & ObservedRows)[]) => void = () => {},
): void {
  describe(title, () => {
    let observed: readonly (Table & ObservedRows)[];
    beforeAll(async () => {
      observed = await observeAll(tables);
    }, TIMEOUT_MS);

    it.each(
      tables.flatMap(({ rows }, at) =>
        rows
          .filter(({ settings }) => settings.length > 0)
          .map((row) => [namesOf(row), row.family, row.behaviour.name, { row, at }] as const),
      ),
    )(
      'a write to each of %s of %s, whose unit %s, is answered, logged and read as it is',
      (_names, _family, _behaviour, { row, at }) => {
        const expected = row.settings.map((setting) => [setting.topic, matching(row, setting)]);
        expect(observed[at]?.writes.get(row)).toEqual(Object.fromEntries(expected));
      },
    );

    describeMore(() => observed);
  });
}
