import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { CELL, HOUR_MS, MINUTE_MS, PV, RecordedHome } from '../../test/history/recorded-home.ts';
import { HISTORY_FILE, HISTORY_PAGE } from './files/history-database.ts';
import type { HistoryLoss } from './files/salvage-history.ts';

const NOON = '2026-06-01T12:00:00.000Z';
const PROGRAM = join(import.meta.dirname, '../../test/history/salvage-until-killed.ts');

let home: RecordedHome;
afterEach(() => home[Symbol.dispose]());

/** Four hours of a poll each ten seconds, of which a page of readings is damaged. */
function damagedHome(): void {
  home = new RecordedHome(NOON, { pollIntervalMs: 10_000 });
  home.polls(4 * HOUR_MS, (at) => ({ [PV]: 100 + (at % 7), [CELL]: ((at * 7) / 1e4) % 991 }));
  home.stop();
  const path = join(home.folder, HISTORY_FILE);
  const db = new DatabaseSync(path, { readOnly: true });
  const pages = db
    .prepare("SELECT pageno FROM dbstat WHERE name = 'readings' AND pagetype = 'leaf' ORDER BY path")
    .all();
  db.close();
  const bytes = readFileSync(path);
  const offset = (Number(pages[pages.length >> 1]?.pageno) - 1) * HISTORY_PAGE;
  writeFileSync(path, bytes.fill(0xa5, offset, offset + 64));
}

it.each([
  ['while the topics are copied', 'COMMIT', 1],
  ['while the readings are copied', 'COMMIT', 4],
  ['before the copy is on the disk', 'PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint', 1],
  ['before the copy has its name', `rename ${HISTORY_FILE}.salvaging`, 1],
  ['before the damaged file is set aside', `rename ${HISTORY_FILE}`, 2],
  ['before the copy takes its place', `rename ${HISTORY_FILE}.salvaged`, 1],
])(
  'a salvage that is killed %s goes on with the next start, and loses nothing more',
  async (_when, change, number) => {
    damagedHome();
    const killed = spawnSync(process.execPath, [PROGRAM, home.folder, change, String(number)], {
      encoding: 'utf8',
    });
    expect([killed.signal, killed.stdout, killed.stderr]).toEqual(['SIGKILL', '', '']);
    const recorded = join(home.folder, 'losses');
    const losses: HistoryLoss[] = existsSync(recorded)
      ? readFileSync(recorded, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
    home.start({ onLoss: (loss) => losses.push(loss) });
    const all = { from: NOON, to: new Date(home.clock.now()).toISOString(), stepS: 60 };
    await Promise.allSettled([home.curve(PV, all)]);
    await home.history.settled();
    home.polls(2 * MINUTE_MS, () => ({ [PV]: 900 }));
    expect(home.history.state).toBe('Recording');
    const { last } = await home.curve(PV, all);
    const known = last.filter((value) => value !== null);
    expect(known.length / last.length).toBeGreaterThan(0.8);
    expect(known.length).toBeLessThan(last.length);
    expect(new Set(losses.map((loss) => JSON.stringify(loss))).size).toBe(1);
    expect(readdirSync(home.folder).filter((name) => /salvag|scratch/.test(name))).toEqual([]);
    expect(existsSync(join(home.folder, `${HISTORY_FILE}.damaged`))).toBe(true);
  },
);
