import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { WriteOutcome } from '@heliograph/contracts';
import { ConfigError } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog, type AuditRecord } from './audit-log.ts';
import {
  DATABASE_FILE,
  hasFreeSpace,
  inTransaction,
  openDatabase,
  type StoreFault,
  UnusableStore,
} from './database.ts';
import { MAX_COVER_MS, MAX_HOUR_AMOUNT } from './hour-row.ts';
import { loadOrCreateIdentity } from './identity.ts';
import { installationOf, newInstallation, storedInstallation } from './installation.ts';
import { KeyValueStore } from './key-value.ts';
import { WriteLog, type WriteLogEntry } from './write-log.ts';

let parent: string;
let folder: string;
let path: string;
const open = new Set<DatabaseSync>();

const opened = (): DatabaseSync => {
  const db = openDatabase(folder);
  open.add(db);
  return db;
};

const closed = (db: DatabaseSync): void => {
  open.delete(db);
  db.close();
};

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'device-storage-'));
  folder = join(parent, 'made', 'by', 'open');
  path = join(folder, DATABASE_FILE);
});

afterEach(() => {
  for (const db of open) closed(db);
  rmSync(parent, { recursive: true });
});

const mode = (of: string): string => (statSync(of).mode & 0o777).toString(8);

/** Undefined where the database opens. */
function faultOnOpening(): StoreFault | undefined {
  try {
    closed(opened());
    return undefined;
  } catch (error) {
    if (error instanceof UnusableStore) return error.fault;
    throw error;
  }
}

describe('openDatabase', () => {
  it('the database is made with its folder, readable by its owner alone', () => {
    opened();
    expect(mode(folder)).toBe('700');
    expect(mode(path)).toBe('600');
    expect(mode(`${path}-wal`)).toBe('600');
  });

  it('the data are on the disk when a commit returns', () => {
    const db = opened();
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });

  it('the database is opened by one process at a time', () => {
    opened();
    expect(() => openDatabase(folder, 50)).toThrow(
      new ConfigError(`DEVICE_DATA: ${path} is in use by another process`),
    );
  });

  it('a second start writes nothing, so that it succeeds on a full disk', () => {
    closed(opened());
    opened();
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  it('the database opens a second time with its data', () => {
    const first = opened();
    new KeyValueStore(first).set('a', '1');
    closed(first);
    expect(new KeyValueStore(opened()).get('a')).toBe('1');
  });

  it.each([
    ['text', Buffer.from('This is no database. '.repeat(200))],
    ['a SQLite header and rubbish', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 7)])],
  ])('a file of %s is refused in one line', (_name, content) => {
    closed(opened());
    writeFileSync(path, content);
    expect(() => openDatabase(folder)).toThrow(ConfigError);
    expect(() => openDatabase(folder)).toThrow(
      /^DEVICE_DATA: [^\n]+device\.sqlite (is damaged|cannot be used)[^\n]*$/,
    );
  });

  it('a file whose pages were overwritten is refused', () => {
    const db = opened();
    const store = new KeyValueStore(db);
    inTransaction(db, () => {
      for (let i = 0; i < 200; i++) store.set(`key ${i}`, 'x'.repeat(100));
    });
    closed(db);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(statSync(path).size - 2048, 0xab), 0, null, 2048);
    closeSync(file);
    expect(() => openDatabase(folder)).toThrow(/^DEVICE_DATA: [^\n]+device\.sqlite is damaged/);
  });

  it('a folder that is a file is refused', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => openDatabase(join(parent, 'file'))).toThrow(
      /^DEVICE_DATA: the folder \/[^\n]+ cannot be used: \w+/,
    );
  });

  it('a folder that cannot be created is refused', () => {
    expect(() => openDatabase('/proc/heliograph/data')).toThrow(
      /^DEVICE_DATA: the folder \S+ cannot be used: \w+/,
    );
  });

  it('a database of a newer release is refused, and unchanged', () => {
    const db = opened();
    db.exec("PRAGMA user_version = 99; UPDATE settings SET value = '98' WHERE key = 'schema_works_with'");
    closed(db);
    const before = readFileSync(join(folder, 'device.sqlite'));
    expect(() => openDatabase(folder)).toThrow(UnusableStore);
    expect(() => openDatabase(folder)).toThrow(
      /was changed by a newer release \(schema 99\), and release \S+ does not/,
    );
    expect(readFileSync(join(folder, 'device.sqlite'))).toEqual(before);
  });

  it('a database of the next release, which works with this one, is used', () => {
    const db = opened();
    const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    db.exec(`PRAGMA user_version = ${schema + 1}`);
    new KeyValueStore(db).set('schema_works_with', String(schema));
    closed(db);
    const again = opened();
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: schema + 1 });
    closed(again);
  });

  it.each<[string, string | undefined, StoreFault | undefined]>([
    ['is one less than that', '-1', undefined],
    ['is that', '0', undefined],
    ['is one more than that', '1', 'newer'],
    ['is missing', undefined, 'newer'],
    ['is no number', 'x', 'newer'],
  ])('a database of the next release whose oldest working schema %s is judged by it', (_what, by, fault) => {
    const db = opened();
    const schema = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    db.exec(`PRAGMA user_version = ${schema + 1}`);
    const store = new KeyValueStore(db);
    if (by === undefined) store.delete('schema_works_with');
    else store.set('schema_works_with', Number.isNaN(Number(by)) ? by : String(schema + Number(by)));
    closed(db);
    expect(faultOnOpening()).toBe(fault);
  });

  it.each<[string, string, StoreFault | undefined]>([
    ['a schema that no release has', 'PRAGMA user_version = 10001', 'damaged'],
    ['the last schema that a release may have', 'PRAGMA user_version = 10000; DROP TABLE settings', 'newer'],
    ['an hour', 'INSERT INTO energy_hours (start, covered_ms, pv) VALUES (0, 0, 0)', undefined],
    [
      'an hour with a negative cover',
      'INSERT INTO energy_hours (start, covered_ms) VALUES (0, -1)',
      'damaged',
    ],
    [
      'an hour with as long a cover as can be',
      `INSERT INTO energy_hours (start, covered_ms) VALUES (0, ${MAX_COVER_MS})`,
      undefined,
    ],
    [
      'an hour with a longer cover than can be',
      `INSERT INTO energy_hours (start, covered_ms) VALUES (0, ${MAX_COVER_MS + 1})`,
      'damaged',
    ],
    ['an hour with negative energy', 'INSERT INTO energy_hours (start, load) VALUES (0, -1)', 'damaged'],
    [
      'an hour with as much energy as can be',
      `INSERT INTO energy_hours (start, load) VALUES (0, ${MAX_HOUR_AMOUNT})`,
      undefined,
    ],
    [
      'an hour with more energy than can be',
      `INSERT INTO energy_hours (start, load) VALUES (0, ${MAX_HOUR_AMOUNT + 1})`,
      'damaged',
    ],
  ])('a database with %s is refused where it cannot be', (_what, sql, fault) => {
    const db = opened();
    db.exec(sql);
    closed(db);
    expect(faultOnOpening()).toBe(fault);
  });

  it('a file that ends within a page is refused, unless the log has that page', () => {
    const db = opened();
    new KeyValueStore(db).set('a', 'x'.repeat(5_000));
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    closed(db);
    truncateSync(path, statSync(path).size - 1);
    expect(faultOnOpening()).toBe('damaged');
    writeFileSync(path, file.subarray(0, -1));
    writeFileSync(`${path}-wal`, log);
    expect(new KeyValueStore(opened()).get('a')).toBe('x'.repeat(5_000));
  });

  it('a file that others could read is made private, and a folder keeps its mode', () => {
    closed(opened());
    chmodSync(path, 0o644);
    chmodSync(folder, 0o755);
    opened();
    expect([mode(path), mode(folder)]).toEqual(['600', '755']);
  });

  it('a file in place of which is a folder cannot be read', () => {
    mkdirSync(path, { recursive: true });
    expect(faultOnOpening()).toBe('unreadable');
  });

  it('free space is that of the disk, and unknown where there is no disk', () => {
    const { bavail, bsize } = statfsSync(parent);
    expect(hasFreeSpace(parent, (bavail * bsize) / 2)).toBe(true);
    expect(hasFreeSpace(parent, bavail * bsize * 2)).toBe(false);
    expect(hasFreeSpace('/proc', 1)).toBe(true);
    expect(hasFreeSpace(join(parent, 'absent'), 1)).toBe(true);
  });

  it('a failed transaction is undone as a whole', () => {
    const db = opened();
    const store = new KeyValueStore(db);
    expect(() =>
      inTransaction(db, () => {
        store.set('half', 'done');
        throw new Error('midway');
      }),
    ).toThrow('midway');
    expect(store.get('half')).toBeUndefined();
  });
});

describe('KeyValueStore', () => {
  it('values are set, replaced and deleted', () => {
    const store = new KeyValueStore(opened());
    expect(store.get('a')).toBeUndefined();
    store.set('a', '1');
    store.set('a', '2');
    expect(store.get('a')).toBe('2');
    store.set('b', '3');
    store.delete('a');
    expect([store.get('a'), store.get('b')]).toEqual([undefined, '3']);
  });

  it('each change is reported once it is stored, with its key', () => {
    const changes: unknown[] = [];
    const db = opened();
    const store = new KeyValueStore(db, {
      onChange: (key) => changes.push([key, new KeyValueStore(db).get(key)]),
    });
    store.set('a', '1');
    store.set('b', '2');
    store.delete('a');
    expect(changes).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['a', undefined],
    ]);
  });
});

describe('loadOrCreateIdentity', () => {
  it('the identity is made once and stored', async () => {
    const first = opened();
    const identity = await loadOrCreateIdentity(first);
    expect(identity.uid).toMatch(/^[a-z2-7]{20}$/);
    closed(first);
    const again = await loadOrCreateIdentity(opened());
    expect([again.uid, again.key.kid]).toEqual([identity.uid, identity.key.kid]);
  });

  it('concurrent first calls make one identity', async () => {
    const db = opened();
    const identities = await Promise.all([loadOrCreateIdentity(db), loadOrCreateIdentity(db)]);
    expect(new Set(identities.map(({ uid }) => uid)).size).toBe(1);
  });
});

describe('the installation', () => {
  it('an installation is made once, and another one where the stored one is damaged', () => {
    const store = new KeyValueStore(opened());
    expect(storedInstallation(store)).toBeUndefined();
    const id = installationOf(store);
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect([installationOf(store), storedInstallation(store)]).toEqual([id, id]);
    for (const damaged of [`${id}x`, id.slice(1), `${id.slice(1)}!`]) {
      store.set('installation_id', damaged);
      expect(storedInstallation(store)).toBeUndefined();
      expect(installationOf(store)).not.toBe(damaged);
    }
    expect(newInstallation(store)).not.toBe(id);
  });
});

describe('WriteLog', () => {
  const attempt = {
    at: 1_800_000_000_000,
    author: 'user 12',
    via: 'proxy',
    topic: 'inverter_1/work_mode',
    oldValue: null,
    newValue: 'Load first',
  } as const;

  it('an entry is unknown until its outcome is stored', () => {
    const log = new WriteLog(opened());
    const first = log.begin(attempt);
    const second = log.begin({ ...attempt, oldValue: 'Load first', newValue: 'Battery first' });
    log.finish(second, { outcome: 'altered', reason: 'altered', isSent: true });
    const later = { settledAt: null, alsoChanged: [], serialNumber: null };
    expect(log.recent(10)).toEqual([
      {
        ...{ ...attempt, ...later },
        id: second,
        oldValue: 'Load first',
        newValue: 'Battery first',
        outcome: 'altered',
        reason: 'altered',
        isOpen: false,
      },
      { ...attempt, ...later, id: first, outcome: 'unknown', reason: null, isOpen: true },
    ]);
  });

  it('a change of an entry changes that one, and leaves those of the same setting before and after it', () => {
    const log = new WriteLog(opened());
    const begin = (newValue: string) => {
      const id = log.begin({ ...attempt, newValue });
      log.finish(id, { outcome: 'unknown', reason: null, isSent: true, isOpen: true });
      return id;
    };
    const ids = ['1', '2', '3'].map(begin);
    const changed = ids[1] ?? 0;
    const alsoChanged = [{ topic: 'inverter_1/grid_charge', oldValue: '0', newValue: '1' }];
    const changes: readonly [() => void, Partial<WriteLogEntry>][] = [
      [() => log.setOldValue(changed, 'Load first'), { oldValue: 'Load first' }],
      [() => log.setAlsoChanged(changed, alsoChanged), { alsoChanged }],
      [() => log.setAlsoChanged(changed, []), { alsoChanged: [] }],
      [() => log.close(changed), { isOpen: false }],
      [
        () => log.settle(changed, { outcome: 'rejected', reason: 'refused' }, 7),
        { outcome: 'rejected', reason: 'refused', settledAt: 7 },
      ],
      [
        () => log.finish(changed, { outcome: 'altered', reason: 'altered', isSent: true, isOpen: true }),
        { outcome: 'altered', reason: 'altered', isOpen: true },
      ],
      [
        () => log.settle(changed, { outcome: 'ok', reason: null }, 8),
        { outcome: 'ok', reason: null, settledAt: 8, isOpen: false },
      ],
    ];
    for (const [change, expected] of changes) {
      const before = log.recent(10);
      change();
      expect(log.recent(10)).toEqual(
        before.map((entry) => (entry.id === changed ? { ...entry, ...expected } : entry)),
      );
    }
    expect(log.open().map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });

  it('the newest 5,000 entries are kept', () => {
    const db = opened();
    const log = new WriteLog(db);
    inTransaction(db, () => {
      for (let i = 0; i < 5_003; i++) log.begin({ ...attempt, newValue: String(i) });
    });
    const entries = log.recent(10_000);
    expect(entries).toHaveLength(5_000);
    expect([entries.at(0)?.newValue, entries.at(-1)?.newValue]).toEqual(['5002', '3']);
  });

  it('entries are read page by page, newest first', () => {
    const log = new WriteLog(opened());
    const ids = ['1', '2', '3', '4'].map((newValue) => log.begin({ ...attempt, newValue }));
    const page = (before?: number) => log.recent(2, before).map(({ newValue }) => newValue);
    expect([page(), page(ids[2]), page(ids[0])]).toEqual([['4', '3'], ['2', '1'], []]);
  });

  it('the newest 1,000 entries that were not sent are kept, and those that were sent stay beside them', () => {
    const db = opened();
    const log = new WriteLog(db);
    const { topic, at } = attempt;
    inTransaction(db, () => {
      log.begin(attempt);
      for (let i = 0; i < 6_000; i++) {
        const id = log.begin({ ...attempt, topic: 'inverter_1/grid_charge', newValue: String(i) });
        log.finish(id, { outcome: 'ok', reason: null, isSent: false });
      }
    });
    const entries = log.recent(10_000);
    expect(entries).toHaveLength(1_001);
    expect([entries.at(0)?.newValue, entries.at(-2)?.newValue]).toEqual(['5999', '5000']);
    expect(log.sentBetween(topic, at - 1, at + 1)).toHaveLength(1);
  });

  it('the corrections of an attempt end with a later one of its setting that was sent', () => {
    const log = new WriteLog(opened());
    const result = { outcome: 'unknown', reason: null, isSent: true, isOpen: true } as const;
    const other = { ...attempt, topic: 'inverter_2/work_mode' };
    log.finish(log.begin({ ...attempt, newValue: '1' }), result);
    log.finish(log.begin({ ...other, newValue: '2' }), result);
    log.finish(log.begin({ ...attempt, newValue: '3' }), { ...result, outcome: 'ok', isOpen: false });
    log.finish(log.begin({ ...other, newValue: '4' }), { outcome: 'not sent', reason: null, isSent: false });
    log.closeFormer();
    expect(log.open().map(({ newValue }) => newValue)).toEqual(['2']);
  });

  it('the log lists when a setting was or may have been sent within a time, oldest first', () => {
    const log = new WriteLog(opened());
    const { topic } = attempt;
    const rows: readonly (readonly [string, number, WriteOutcome, isSent?: boolean])[] = [
      [topic, 150, 'ok'],
      [topic, 101, 'rejected'],
      [topic, 199, 'altered'],
      [topic, 140, 'unknown'],
      [topic, 100, 'ok'],
      [topic, 200, 'ok'],
      [topic, 150, 'not sent', false],
      [topic, 151, 'ok', false],
      ['inverter_2/work_mode', 150, 'ok'],
      ['inverter_1/work_mode_2', 150, 'ok'],
    ];
    for (const [of, at, outcome, isSent = true] of rows)
      log.finish(log.begin({ ...attempt, topic: of, at }), { outcome, reason: null, isSent });
    // A process that was killed midway stores no outcome.
    log.begin({ ...attempt, at: 198 });
    log.begin({ ...attempt, at: 197, oldValue: 'Grid first' });
    const { newValue } = attempt;
    expect(log.sentBetween(topic, 100, 200)).toEqual(
      [101, 140, 150, 197, 198, 199].map((at) => ({
        at,
        oldValue: at === 197 ? 'Grid first' : null,
        newValue,
      })),
    );
  });
});

describe('AuditLog', () => {
  const record: AuditRecord = {
    at: 1_800_000_000_123,
    action: 'tariffs.change',
    author: 'local',
    via: 'lan',
    address: null,
    subject: '7',
    changes: [{ field: 'mqtt.url', old_value: null, new_value: 'mqtts://broker.example' }],
  };

  it('an entry is unknown until its outcome is stored', () => {
    const log = new AuditLog(opened());
    const first = log.begin(record);
    const second = log.begin({ ...record, action: 'backup.create', address: '192.0.2.7', subject: null });
    log.finish(second, 'failed');
    const newest = {
      ...record,
      id: second,
      action: 'backup.create',
      address: '192.0.2.7',
      subject: null,
      outcome: 'failed',
    };
    expect(log.recent(10)).toEqual([newest, { ...record, id: first, outcome: 'unknown' }]);
    expect([log.recent(1), log.recent(10, second).map(({ id }) => id)]).toEqual([[newest], [first]]);
  });

  it('the newest 1,000 entries of each action are kept', () => {
    const db = opened();
    const log = new AuditLog(db);
    inTransaction(db, () => {
      const rare: AuditRecord = { ...record, action: 'backup.create', subject: 'rare' };
      log.begin(rare);
      for (let i = 0; i < 1_003; i++) log.begin({ ...record, subject: String(i) });
      log.begin(rare);
    });
    const subjects = log.recent(10_000).map(({ subject }) => subject);
    expect(subjects).toHaveLength(1_002);
    expect([...subjects.slice(0, 2), ...subjects.slice(-2)]).toEqual(['rare', '1002', '3', 'rare']);
  });
});
