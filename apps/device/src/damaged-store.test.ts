import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Alert, DeviceAbout, EnergyAnswer } from '@heliograph/contracts';
import { createLogger } from '@heliograph/kit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startWholeDevice, WHOLE_DEVICE_PASSWORD, type WholeDevice } from '../test/whole-device.ts';
import { inTransaction, PAGE_SIZE } from './storage/database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Until the hour before the present one: each test reads and copies all of them. */
const HOURS = 2_400;
const WRITES = 100;
const CONFIG = 'mdns: false\nconnections:\n  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:1" }\n';
const TARIFFS =
  '[{"valid_from":"2025-01-01","currency":"EUR","import":[{"price":0.34}],"export":[{"price":0.07}],"fixed_charges":[]}]';
const RULES =
  '[{"id":"much","name":"Much","enabled":true,"severity":"warning","condition":{"kind":"above","topics":["total/grid_power"],"limit":9000,"for_s":60}}]';

/** The stopped device with its data. */
let original: string;
let folder: string;
let device: WholeDevice | undefined;
const lines: { readonly level: number; readonly msg: string }[] = [];
const logger = createLogger('device', 'warn', { write: (line) => lines.push(JSON.parse(line)) });

const file = () => join(folder, 'device.sqlite');
const inStore = <T>(work: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(file());
  try {
    return work(db);
  } finally {
    db.close();
  }
};

async function start(): Promise<WholeDevice> {
  device = await startWholeDevice(CONFIG, { dataFolder: folder, logger, env: { DEVICE_PASSWORD: '' } });
  return device;
}

async function stop(): Promise<void> {
  await device?.stop();
  device = undefined;
}

/** Stored data of a home. */
interface Home {
  readonly uid: string;
  readonly pvKwh: number;
  readonly writes: number;
}

async function homeOf(running: WholeDevice): Promise<Home> {
  const { uid } = await running.answer<DeviceAbout>('/api/v1/device');
  const { steps } = await running.answer<EnergyAnswer>('/api/v1/energy?step=year');
  const writes = await running.answer<readonly object[]>(`/api/v1/settings/log?limit=${WRITES}`);
  return { uid, pvKwh: steps.reduce((sum, { pv }) => sum + (pv ?? 0), 0), writes: writes.length };
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
}

/** A row of the readiness. */
async function checkOf(running: WholeDevice, name: string): Promise<Check | undefined> {
  const { checks } = (await (await fetch(`${running.url}/readyz`)).json()) as { checks: readonly Check[] };
  return checks.find((check) => check.name === name);
}

let whole: Home;

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'heliograph-damaged-'));
  folder = original;
  await (await startWholeDevice(CONFIG, { dataFolder: folder })).stop();
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  inStore((db) => {
    const hour = db.prepare(
      'INSERT OR REPLACE INTO energy_hours (start, covered_ms, pv, load) VALUES (?, ?, ?, ?)',
    );
    const day = db.prepare('INSERT OR IGNORE INTO energy_days (day, amounts) VALUES (?, ?)');
    const write = db.prepare(
      "INSERT INTO write_log (at, author, via, topic, new_value, outcome) VALUES (?, 'local', 'lan', 'inverter_1/work_mode', ?, 'ok')",
    );
    const setting = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    inTransaction(db, () => {
      for (let i = 1; i <= HOURS; i++)
        hour.run(last - i * HOUR_MS, HOUR_MS, 14_785_800_000 + i, 5_749_800_000);
      for (let i = 1; i <= 60; i++)
        day.run(Math.floor(last / DAY_MS) - i, '{"PV energy":{"wattHours":5,"rest":0}}');
      for (let i = 0; i < WRITES; i++) write.run(last - i, String(i));
      setting.run('tariffs', TARIFFS);
      setting.run('alert_rules', RULES);
    });
  });
  // The copy beside the store is written when a device starts.
  whole = await homeOf(await start());
  await stop();
  expect(whole).toMatchObject({ writes: WRITES });
  expect(whole.pvKwh).toBeGreaterThan(1_000);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-damaged-'));
  cpSync(original, folder, { recursive: true });
  lines.length = 0;
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});
afterAll(() => rmSync(original, { recursive: true }));

/** Overwrites so many bytes with others. */
function overwrite(offset: number, length: number): void {
  const bytes = readFileSync(file());
  for (let i = 0; i < length; i++) bytes[offset + i] = (i * 151 + 77) % 256;
  writeFileSync(file(), bytes);
}

/** Offsets of the pages of a table's rows, and of its root. */
function pagesOf(table: string): { readonly root: number; readonly leaves: readonly number[] } {
  return inStore((db) => {
    const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) ?? {};
    const leaves = db
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
      .all(table);
    const offsetOf = (page: unknown) => (Number(page) - 1) * PAGE_SIZE;
    return { root: offsetOf(rootpage), leaves: leaves.map(({ pageno }) => offsetOf(pageno)) };
  });
}

const inLeaf = (table: string, place: number) => () => overwrite(pagesOf(table).leaves.at(place) ?? 0, 64);
const inRoot = (table: string) => () => overwrite(pagesOf(table).root, 64);
/** 32 bytes in each of twenty places. */
const inPlaces = (seed: number) => () => {
  const { size } = statSync(file());
  let state = seed;
  for (let i = 0; i < 20; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    overwrite(Math.floor((state / 2 ** 31) * (size - 32)), 32);
  }
};
const cutTo = (share: number) => () => truncateSync(file(), statSync(file()).size * share);

/** Of the energy and of the log of writes, the least shares that are kept. */
interface Kept {
  readonly energy: number;
  readonly writes?: number;
}

it.each<[string, () => void, Kept]>([
  ['64 bytes in a page of hours', inLeaf('energy_hours', 30), { energy: 0.98 }],
  ['64 bytes in the first page of hours', inLeaf('energy_hours', 0), { energy: 0.98 }],
  ['64 bytes in the last page of hours', inLeaf('energy_hours', -1), { energy: 0.98 }],
  ['64 bytes in the root of the hours', inRoot('energy_hours'), { energy: 0.99 }],
  ['64 bytes in the root of the settings', inRoot('settings'), { energy: 1 }],
  ['64 bytes in the root of the identity', inRoot('identity'), { energy: 1 }],
  ['64 bytes in a page of the log of writes', inLeaf('write_log', 1), { energy: 1, writes: 0.5 }],
  ['64 bytes in a page of the days', inLeaf('energy_days', 1), { energy: 1 }],
  ...[3, 17].map((seed): [string, () => void, Kept] => [
    `20 × 32 bytes (${seed})`,
    inPlaces(seed),
    { energy: 0.8, writes: 0 },
  ]),
  ['its header', () => overwrite(0, 100), { energy: 1 }],
  ['its list of tables', () => overwrite(100, PAGE_SIZE - 100), { energy: 0.99, writes: 0 }],
  ['everything', cutTo(0), { energy: 0, writes: 0 }],
  ['its second half', cutTo(0.5), { energy: 0.3, writes: 0 }],
  [
    'its last 1,000 bytes',
    () => truncateSync(file(), statSync(file()).size - 1_000),
    { energy: 0.99, writes: 0 },
  ],
  ['its file', () => rmSync(file()), { energy: 0, writes: 0 }],
])(
  'a store that lost %s costs neither the identity nor a choice, and what it costs is reported everywhere',
  async (_what, damage, kept) => {
    damage();
    const running = await start();
    const home = await homeOf(running);
    expect(home.uid).toBe(whole.uid);
    expect(home.pvKwh / whole.pvKwh).toBeGreaterThanOrEqual(kept.energy - 1e-6);
    expect(home.writes / WRITES).toBeGreaterThanOrEqual(kept.writes ?? 1);
    expect((await running.browser.send('POST', '/api/v1/session', { password: 'wrong' })).status).toBe(401);
    expect(
      (await running.browser.send('POST', '/api/v1/session', { password: WHOLE_DEVICE_PASSWORD })).status,
    ).toBe(204);
    expect(await running.answer('/api/v1/tariffs')).toMatchObject({ tariffs: JSON.parse(TARIFFS) });
    const { rules } = await running.answer<{ rules: { id: string }[] }>('/api/v1/alert_rules');
    expect(rules.map(({ id }) => id)).toContain('much');

    const row = await checkOf(running, 'store');
    const { store_loss: loss } = await running.answer<DeviceAbout>('/api/v1/device');
    const costsNothing = home.pvKwh > whole.pvKwh * (1 - 1e-6) && home.writes === WRITES;
    // Bytes that no row has are no loss.
    if (loss == null) {
      expect([costsNothing, row?.status]).toEqual([true, 'ok']);
      return;
    }
    expect(row).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^The database was damaged on /),
    });
    if (!costsNothing) expect(row?.detail).toMatch(/and lost .*(energy|entries).*: restore a backup/);
    expect(lines.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(
        /^the database (was damaged: it is set aside|had no identity: it and the settings are restored)/,
      ),
    );
    await expect
      .poll(async () => (await running.answer<readonly Alert[]>('/api/v1/alerts')).map(({ rule }) => rule))
      .toContain('store_damaged');
  },
);
