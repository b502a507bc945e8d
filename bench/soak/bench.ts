import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type System, startSystem } from '@heliograph/dev';
import { printable } from '@heliograph/kit/terminal';
import type { Bench } from '../bench.ts';
import { Load } from '../chaos/load.ts';
import { reportLimit } from '../report-limit.ts';
import { residentMb } from '../usage.ts';
import { collectedHeapMb, INSPECTED } from './collected-heap.ts';

/** A process that grows for ever, by 1 MB in a thousand requests, doubles its heap in this time. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const QUARTERS = 4;
/** Caches, pools and compiled code fill in this time; what comes after is growth. */
const WARM_UP_MS = 60_000;
/** Each of some twenty clients asks about once a second. */
const PAUSE_MS = { from: 500, to: 1500 };
/** Memory at the end, as a multiple of that after the warm-up. V8 gives pages back late, so the resident set may be larger. */
const LIMITS = { heap: 1.15, resident: 1.25 };

interface Memory {
  readonly heapMb: number;
  readonly residentMb: number;
}

type Look = ReadonlyMap<string, Memory>;

export const bench: Bench = {
  description: `memory of cloud, proxy and device after ${MINUTES} minutes (SOAK_MINUTES) of readers, writers and streams`,
  async run() {
    const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-soak-'));
    await using undo = new AsyncDisposableStack();
    undo.defer(() => rm(dataFolder, { recursive: true, force: true }));
    const system = undo.use(
      await startSystem({
        dataFolder,
        pollIntervalMs: 1000,
        settingWritesPerDay: 100_000,
        plant: { start: '2026-06-21T12:00:00+02:00' },
        env: { cloud: INSPECTED, proxy: INSPECTED, device: INSPECTED },
      }),
    );
    const load = undo.use(await Load.start(system, 1, PAUSE_MS));
    await delay(WARM_UP_MS);

    const first = await look(system);
    print('warm', first);
    let last = first;
    for (let quarter = 1; quarter <= QUARTERS; quarter++) {
      await delay((MINUTES * 60_000) / QUARTERS);
      last = await look(system);
      print(`${((MINUTES * quarter) / QUARTERS).toFixed(1)} min`, last);
    }
    const { failures } = load.journal;
    const received = load.followers.reduce((sum, follower) => sum + follower.received, 0);
    console.log(
      `  ${load.journal.good('read')} reads of ${6} clients, ${load.attempts.length} writes, ${received} values streamed`,
    );

    const verdicts = [...first].map(([name, before]) => {
      const after = last.get(name) ?? before;
      const heap = after.heapMb / before.heapMb;
      const resident = after.residentMb / before.residentMb;
      return reportLimit(
        heap <= LIMITS.heap && resident <= LIMITS.resident,
        `${name}: heap ${heap.toFixed(2)} times (at most ${LIMITS.heap}), resident set ${resident.toFixed(2)} times (at most ${LIMITS.resident})`,
      );
    });
    for (const { purpose, what } of failures.slice(0, 10))
      console.log(`  ${printable(`${purpose}: ${what}`)}`);
    const answered = reportLimit(failures.length === 0, `${failures.length} requests failed`);
    return answered && verdicts.every(Boolean);
  },
};

async function look({ parts, logFolder }: System): Promise<Look> {
  const rows = new Map<string, Memory>();
  for (const part of [parts.cloud, parts.proxy, parts.device]) {
    const heapMb = await collectedHeapMb(join(logFolder, `${part.name}.log`));
    rows.set(part.name, { heapMb, residentMb: residentMb(part.pid ?? 0) });
  }
  return rows;
}

function print(title: string, rows: Look): void {
  const cells = [...rows].map(
    ([name, { heapMb, residentMb }]) =>
      `${name} heap ${heapMb.toFixed(1)} MB, RSS ${residentMb.toFixed(0)} MB`,
  );
  console.log(`  ${title.padEnd(9)} ${cells.join('; ')}`);
}
