import type { ManualClock } from '@heliograph/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_DIFFERENCES } from './family-differences.ts';
import { expectedWrite, ObservedDevice, type ObservedWrite } from './observed-writes.ts';
import type { SettableUnit } from './settable-unit.ts';
import type { ExpectedWrite, WriteBehaviour } from './write-behaviours.ts';
import type { WrittenSetting } from './written-settings.ts';

/** Patience for a loaded machine, in milliseconds. */
const TIMEOUT_MS = 300_000;

/** Devices that are observed side by side: most of them wait for their lines. */
const CONCURRENCY = 8;

/** One write. */
export interface Row {
  readonly family: string;
  readonly setting: WrittenSetting;
  readonly behaviour: WriteBehaviour;
}

export interface ObservedRows {
  readonly writes: ReadonlyMap<Row, ObservedWrite>;
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
}

export function tableOf<Setting extends WrittenSetting>(device: TableOptions<Setting>): Table {
  const { family, settings, behaviours } = device;
  const rows = settings.flatMap((setting) =>
    behaviours
      .filter((behaviour) => isPossible(setting, behaviour))
      .map((behaviour) => ({ family, setting, behaviour })),
  );
  const observe = async (): Promise<ObservedRows> => {
    const observed = await ObservedDevice.start(device);
    try {
      const writes = new Map<Row, ObservedWrite>();
      for (const row of rows) writes.set(row, await observed.write(row.setting, row.behaviour));
      const written = settings.flatMap(({ topic }) => observed.kindOf(topic) ?? []);
      return { writes, kinds: { has: [...observed.kinds], written } };
    } finally {
      await observed.stop();
    }
  };
  return { family, rows, observe };
}

/** Settings of two values cannot be put to a third. */
function isPossible({ values }: WrittenSetting, { takes, changedBefore }: WriteBehaviour): boolean {
  if (values.other !== undefined) return true;
  return changedBefore === undefined && takes.every(([, state]) => state !== 'other');
}

function expectationOf({ family, setting, behaviour }: Row): ExpectedWrite {
  const difference = FAMILY_DIFFERENCES[family]?.find(
    (one) => one.behaviour === behaviour.name && (one.topic ?? setting.topic) === setting.topic,
  );
  return { ...behaviour.expected, ...difference?.expected };
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
        rows.map((row) => [row.setting.topic, row.family, row.behaviour.name, { row, at }] as const),
      ),
    )(
      'a write to %s of %s, whose unit %s, is answered, logged and read as it is',
      (_topic, _family, _behaviour, { row, at }) => {
        const expectation = expectationOf(row);
        const expected = expectedWrite(row.setting, row.behaviour, expectation);
        const seen = observed[at]?.writes.get(row);
        expect(seen).toEqual({
          ...expected,
          requests: expect.any(Number),
          answer: expect.stringContaining(expected.answer),
        });
        const { requests } = expectation;
        if (requests !== undefined) expect([requests, requests + 1]).toContain(seen?.requests);
      },
    );

    describeMore(() => observed);
  });
}
