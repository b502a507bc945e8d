import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { silentLogger, testMoment } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CELL,
  HOUR_MS,
  logLines,
  MINUTE_MS,
  MODE,
  PV,
  PV_ENERGY,
  RecordedHome,
} from '../../test/history/recorded-home.ts';
import { HISTORY_FILE, openHistoryDatabase } from './files/history-database.ts';
import type { HistoryLoss } from './files/salvage-history.ts';
import { History } from './history.ts';

const NOON = '2026-06-01T12:00:00.000Z';
const PROGRAM = join(import.meta.dirname, '../../test/history/record-until-killed.ts');

let home: RecordedHome;
afterEach(() => home[Symbol.dispose]());

/** A file that can be kept from growing, as by a full disk, and allowed to again. */
function growableFile() {
  let db: DatabaseSync | undefined;
  const pages = (count: number) => db?.exec(`PRAGMA max_page_count = ${count}`);
  return {
    open: (folder: string): DatabaseSync => {
      db = openHistoryDatabase(folder);
      return db;
    },
    fill: () => pages(1),
    free: () => pages(1_000_000),
  };
}

describe('History on a full disk', () => {
  it('a full disk stops the history alone, is logged once, and loses nothing when it is soon over', async () => {
    const { open, fill, free } = growableFile();
    const { logger, lines } = logLines();
    home = new RecordedHome(NOON, { open, logger });
    let polls = 0;
    home.publisher.subscribe(() => polls++);
    home.polls(30 * MINUTE_MS, () => ({ [PV]: 100, [MODE]: 'Line' }));
    expect([home.history.state, lines]).toEqual(['Recording', []]);

    fill();
    home.polls(30 * MINUTE_MS, (at) => ({ [PV]: 200 + (at % 7), [MODE]: 'Line' }));
    expect(polls).toBe(30 * 60);
    expect(home.history.state).toBe('Stopped: the file cannot be written: the disk is full');
    expect(lines).toEqual([expect.stringMatching(/^history cannot be kept: .*full/)]);
    expect((await home.curve(PV, { from: NOON, stepS: 900 })).min).toEqual([100, 100, 200, 200]);

    free();
    home.polls(2 * MINUTE_MS, () => ({ [PV]: 300, [MODE]: 'Line' }));
    expect([home.history.state, lines.slice(1)]).toEqual(['Recording', ['history is kept again']]);
    home.stop();
    home.start();
    expect((await home.curve(PV, { from: NOON, stepS: 900 })).min).toEqual([100, 100, 200, 200, 300]);
  });

  it('a disk that stays full leaves a gap, in numbers and in states', async () => {
    const { open, fill, free } = growableFile();
    home = new RecordedHome(NOON, { open });
    home.polls(30 * MINUTE_MS, () => ({ [PV]: 100, [MODE]: 'Line' }));
    fill();
    home.polls(5 * HOUR_MS, () => ({ [PV]: 200, [MODE]: 'Battery' }));
    free();
    home.polls(30 * MINUTE_MS, () => ({ [PV]: 300, [MODE]: 'Battery' }));
    // The first writes may still have fitted into what was free within the file.
    const { last, times } = await home.curve(PV, { from: NOON, stepS: 300 });
    const gap = last.indexOf(null);
    expect([last[0], ...last.slice(gap).filter((value, i, all) => value !== all[i - 1])]).toEqual([
      100,
      null,
      200,
      300,
    ]);
    expect((times[gap + 1] ?? 0) - (times[gap] ?? 0)).toBeGreaterThan(3 * 3600);
    const { states } = await home.read(MODE, { from: NOON });
    expect([states[0]?.last[0], ...(states[0]?.last.slice(-2) ?? [])]).toEqual(['Line', null, 'Battery']);
  });
});

describe('History that is not started', () => {
  it('reading leaves no file in a folder without a history, and begins with what is recorded later', async () => {
    home = new RecordedHome(NOON);
    home.stop();
    rmSync(join(home.folder, HISTORY_FILE));
    const folder = home.folder;
    const { clock } = home;
    const idle = new History({ folder, maxSizeMb: 1, pollIntervalMs: 1000, clock, logger: silentLogger });
    expect(() => idle.since()).toThrow('The history cannot be read: the file does not exist yet');
    expect(idle.newest(clock.now())).toBeUndefined();
    await expect(idle.read({ matches: () => true })).rejects.toThrow('does not exist yet');
    idle[Symbol.dispose]();
    expect(existsSync(join(folder, HISTORY_FILE))).toBe(false);
    home.start();
    home.poll({ [PV]: 100 });
    expect(home.history.since()).toBe(testMoment(NOON));
  });
});

describe('History whose file cannot be opened', () => {
  it.each([
    ['EROFS', 'cannot be written: the disk or card is read-only'],
    ['EACCES', 'may not be opened'],
    ['EISDIR', 'cannot be used: EISDIR'],
  ])('a file with %s stops it, with a reason that has no path', (code, reason) => {
    const open = (folder: string): DatabaseSync => {
      const path = join(folder, HISTORY_FILE);
      throw Object.assign(new Error(`${code}: refused, open '${path}'`), { code, syscall: 'open', path });
    };
    home = new RecordedHome(NOON, { open });
    home.polls(2 * MINUTE_MS, () => ({ [PV]: 100 }));
    expect(home.history.state).toBe(`Stopped: the file ${reason}`);
  });
});

it('an unknown error stops it without the text of the error, which clients read', () => {
  const open = (): DatabaseSync => {
    throw new Error('no such column: secret');
  };
  home = new RecordedHome(NOON, { open });
  home.polls(2 * MINUTE_MS, () => ({ [PV]: 100 }));
  expect(home.history.state).toBe('Stopped: the file cannot be used: the log of the device has the reason');
});

describe('History with a damaged file', () => {
  const PAGE = 4096;
  const path = () => join(home.folder, HISTORY_FILE);

  /** Eight hours of a poll each ten seconds. */
  function recorded(): void {
    home = new RecordedHome(NOON, { pollIntervalMs: 10_000 });
    home.polls(8 * HOUR_MS, (at) => ({ ...noise(at), [PV]: 100 + (at % 7), [MODE]: 'Line' }));
    home.stop();
  }

  /** Numbers that take room. */
  const noise = (at: number) =>
    Object.fromEntries(
      [CELL, 'total/load_power', PV_ENERGY].map((topic, i) => [topic, ((at * (i + 7)) / 1e4) % 991]),
    );

  /** Pages of a table's rows, by the offset of their first byte. */
  function pagesOf(table: string): number[] {
    const db = new DatabaseSync(path(), { readOnly: true });
    const pages = db
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
      .all(table);
    db.close();
    return pages.map(({ pageno }) => (Number(pageno) - 1) * PAGE);
  }

  const overwrite = (offset: number, length = 64): void => {
    const bytes = readFileSync(path());
    for (let i = 0; i < length; i++) bytes[offset + i] = (i * 151 + 77) % 256;
    writeFileSync(path(), bytes);
  };
  const inTable =
    (table: string, places: readonly number[], offset = 0) =>
    () => {
      const pages = pagesOf(table);
      for (const place of places) overwrite((pages[Math.floor(place * pages.length)] ?? 0) + offset);
    };

  it.each<[string, () => void, number]>([
    ['a page of readings', inTable('readings', [0.5]), 0.9],
    ['the first, a middle and the last page of readings', inTable('readings', [0, 0.5, 0.9999]), 0.7],
    ['keys in five pages of readings', inTable('readings', [0.1, 0.3, 0.5, 0.7, 0.9], 3_000), 0.8],
    ['bytes within a reading', () => overwrite((pagesOf('readings')[5] ?? 0) + 3_000, 24), 0.99],
    ['a page of batches', inTable('batches', [0.5]), 0.5],
    ['its header', () => overwrite(0), 0.99],
    ['its list of tables', () => overwrite(1_000, 3_000), 0.99],
    ['its last bytes', () => truncateSync(path(), statSync(path()).size - 1_000), 0.7],
    ['its last quarter', () => truncateSync(path(), statSync(path()).size * 0.75), 0.2],
  ])('a history that lost %s keeps every other row, and goes on', async (_what, damage, share) => {
    recorded();
    damage();
    const losses: HistoryLoss[] = [];
    const { logger, lines } = logLines();
    home.start({ onLoss: (loss) => losses.push(loss), logger });
    const all = { from: NOON, to: new Date(home.clock.now()).toISOString(), stepS: 60 };
    await Promise.allSettled(
      [PV, CELL].flatMap((topic) => [60, 300].map((stepS) => home.curve(topic, { ...all, stepS }))),
    );
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 900, [CELL]: 3.3, [MODE]: 'Line' }));
    await home.history.settled();
    home.polls(MINUTE_MS, () => ({ [PV]: 900, [CELL]: 3.3, [MODE]: 'Line' }));
    expect(home.history.state).toBe('Recording');
    expect(lines).toContain('the damaged history is set aside, and all of it that can be read is kept');
    const { last } = await home.curve(PV, all);
    const known = last.filter((value) => value !== null).length;
    expect(known / last.length).toBeGreaterThan(share);
    // Changed bytes of a column may be those of another one.
    const wrong = last.filter((value) => value !== null && (value < 100 || value > 106));
    expect(wrong.length).toBeLessThanOrEqual(5);
    const { last: since } = await home.curve(PV, { from: all.to, stepS: 60 });
    expect(new Set(since)).toEqual(new Set([900]));
    expect(existsSync(join(home.folder, `${HISTORY_FILE}.damaged`))).toBe(true);
    home.stop();
    const db = new DatabaseSync(path());
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
    if (known < last.length) expect(losses).toHaveLength(1);
  });

  it.each([
    ['from the start', Buffer.from('This is no database. '.repeat(500))],
    ['after its header', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9_000, 7)])],
  ])('a file that is damaged %s is set aside, and the history begins again', async (_name, content) => {
    home = new RecordedHome(NOON);
    home.stop();
    for (const suffix of ['-wal', '-shm']) rmSync(path() + suffix, { force: true });
    writeFileSync(path(), content);
    const losses: (HistoryLoss | string)[] = [];
    home.start({ onLoss: (loss, cause) => losses.push(loss, cause) });
    await home.history.settled();
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 100 }));
    expect(home.history.state).toBe('Recording');
    expect(losses).toEqual([{ fromMs: null, untilMs: null }, 'damaged']);
    expect(readFileSync(join(home.folder, `${HISTORY_FILE}.damaged`))).toEqual(content);
    expect((await home.curve(PV, { from: NOON, stepS: 300 })).last).toEqual([100]);
  });
});

describe('History on a disk that fails as a whole', () => {
  /** SQLITE_IOERR_READ */
  const error = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 266 });
  let isBroken = false;
  let losses: [HistoryLoss, string][] = [];
  const open = (folder: string): DatabaseSync => {
    if (isBroken) throw error;
    return openHistoryDatabase(folder);
  };
  const path = (ending = '') => join(home.folder, HISTORY_FILE + ending);
  const restartBroken = async (): Promise<string[]> => {
    home.stop();
    isBroken = true;
    const { logger, lines } = logLines();
    home.start({ open, logger, onLoss: (loss, cause) => losses.push([loss, cause]) });
    await home.history.settled();
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 200 }));
    await home.history.settled();
    return lines;
  };
  afterEach(() => {
    isBroken = false;
    losses = [];
  });

  it('a history that another file does not mend is replaced once', async () => {
    home = new RecordedHome(NOON, { open });
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 100 }));
    const lines = await restartBroken();
    expect(lines.filter((line) => /cannot read a part of the history/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => /damaged: it is copied/.test(line))).toEqual([]);
    expect(home.history.state).toMatch(/^Stopped: the file cannot be read or written/);
    isBroken = false;
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 300 }));
    expect(home.history.state).toBe('Recording');
    expect((await home.curve(PV, { from: NOON, stepS: 300 })).last).toEqual([100, 200, 300]);
  });

  it('a history of which the disk can read nothing begins again, and the disk is named as the cause', async () => {
    home = new RecordedHome(NOON, { open });
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 100 }));
    home.stop();
    for (const ending of ['-wal', '-shm']) rmSync(path(ending), { force: true });
    writeFileSync(path(), Buffer.alloc(9_000));
    await restartBroken();
    expect(losses).toEqual([[{ fromMs: null, untilMs: null }, 'unreadable']]);
  });

  it('a history stays where it is while the disk takes no other', async () => {
    home = new RecordedHome(NOON, { open });
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 100 }));
    mkdirSync(path('.salvaging'));
    await restartBroken();
    expect([existsSync(path()), existsSync(path('.damaged'))]).toEqual([true, false]);
    isBroken = false;
    home.polls(5 * MINUTE_MS, () => ({ [PV]: 300 }));
    expect(home.history.state).toBe('Recording');
    expect((await home.curve(PV, { from: NOON, stepS: 300 })).last).toEqual([100, 200, 300]);
  });
});

describe('History of a process that is killed', () => {
  it('a crash loses no more than a minute, and the stored history is whole', {
    timeout: 30_000,
  }, async () => {
    home = new RecordedHome(NOON);
    home.stop();
    let day = Date.parse('2026-06-02T00:00:00Z');
    for (const snapshots of [200, 1_555, 431]) {
      const startedAt = new Date(day).toISOString();
      const lastAt = await recordUntilKilled(home.folder, startedAt, snapshots);
      home.clock.jump(lastAt + 1);
      home.start();
      for (const stepS of [2, 300, 3600]) {
        const to = new Date(lastAt + 1).toISOString();
        const { times, last } = await home.curve(PV, { from: startedAt, to, stepS });
        const end = (times.at(-1) ?? 0) * 1000 + stepS * 1000;
        expect(lastAt - end).toBeLessThanOrEqual(MINUTE_MS);
        expect(last).not.toContain(null);
        expect(times[0]).toBe(day / 1000);
      }
      home.stop();
      day += 24 * HOUR_MS;
    }
  });
});

/** @returns the time of the last snapshot that is known to have been published */
async function recordUntilKilled(folder: string, startedAt: string, snapshots: number): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, folder, startedAt], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let count = 0;
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++count === snapshots) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return last;
}
