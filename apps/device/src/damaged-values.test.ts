import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  alertOperations,
  type DeviceAbout,
  type DeviceSession,
  deviceAuditOperations,
  type EnergyAnswer,
  settingWriteOperations,
} from '@heliograph/contracts';
import { createLogger } from '@heliograph/kit';
import { Compile } from 'typebox/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWholeDevice, WHOLE_DEVICE_PASSWORD, type WholeDevice } from '../test/whole-device.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();
const TODAY = Math.floor(NOW / DAY_MS);
const BUS = 'modbus-tcp://127.0.0.1:1';
const CONFIG = `mdns: false\nconnections:\n  - { driver: sunspec, bus: "${BUS}" }\n`;

/** Every fact that a device stores, and a text of it. */
const FACTS: Readonly<Record<string, string>> = {
  alert_rules:
    '[{"id":"much","name":"Much","enabled":true,"severity":"warning","condition":{"kind":"above","topics":["total/grid_power"],"limit":9000,"for_s":60}}]',
  alert_values_reached: '["battery_1/state_of_charge"]',
  cloud_alerts: '3',
  cloud_backup:
    '{"key":{"salt":"c2FsdA==","secret":"c2VjcmV0","cost":{"logN":16,"r":8,"p":2}},"fetch_hash":"x","stored_at":null,"size":null,"has_history":false}',
  cloud_history: '{"agreed_at":"2026-11-01T00:00:00Z","until":1795870800000}',
  cloud_jwks: '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}',
  energy_hours_since: '1761317400000',
  installation_id: '_kHtmIx7rsJAjHI_jn4Brg',
  latest_time: '1795881131132',
  mqtt_alert_revision: '3',
  mqtt_retained: '["solar_assistant/alerts"]',
  page_sessions: '[{"digest":"x","passwordVersion":"y","expiresAt":1795881131132}]',
  site_id: '1',
  site_name: 'home',
  site_revocations: '{"siteId":1,"revoked":[]}',
  support: '{"access":"never","sessions":[],"ended":[]}',
  support_events: '[]',
  tariffs:
    '[{"valid_from":"2025-01-01","currency":"EUR","import":[{"price":0.34}],"export":[{"price":0.07}],"fixed_charges":[]}]',
  tunnel_ticket: '{"cloudUrl":"http://127.0.0.1:1"}',
  [`units ${BUS}`]: '[{"kind":"inverters","model":null,"quantities":[],"number":0}]',
};

let folder: string;
let device: WholeDevice | undefined;
const lines: Record<string, unknown>[] = [];
const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });

const start = async (): Promise<WholeDevice> => {
  device = await startWholeDevice(CONFIG, { dataFolder: folder, logger });
  return device;
};
const stop = async (): Promise<void> => {
  await device?.stop();
  device = undefined;
};
const inStore = (work: (db: DatabaseSync) => void): void => {
  const db = new DatabaseSync(join(folder, 'device.sqlite'));
  work(db);
  db.close();
};
const setAll = (values: Readonly<Record<string, string>>): void =>
  inStore((db) => {
    const set = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries(values)) set.run(key, value);
  });
const about = (running: WholeDevice) => running.answer<DeviceAbout>('/api/v1/device');

/** The data of a device with all facts, which is stopped. */
let original: string;
let uid: string;

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'heliograph-values-'));
  folder = original;
  await start();
  await stop();
  setAll(FACTS);
  // The copy is written when a device starts.
  uid = (await about(await start())).uid;
  await stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-values-'));
  cpSync(original, folder, { recursive: true });
  lines.length = 0;
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});
afterAll(() => rmSync(original, { recursive: true }));

const truncated = Object.fromEntries(
  Object.entries(FACTS).map(([key, text]) => [key, text.slice(0, text.length / 2)]),
);

describe('a device whose stored values are damaged', () => {
  it.each([
    ['[', undefined],
    ['{}', undefined],
    ['null', undefined],
    ['"x"', undefined],
    ['7', undefined],
    ['[{"\uFFFD', undefined],
    ['cut off', truncated],
  ])(
    'starts, serves and reads with %s in the place of each, and restores those with a copy',
    async (text, values) => {
      setAll(values ?? Object.fromEntries(Object.keys(FACTS).map((key) => [key, text])));
      inStore((db) => {
        db.exec("UPDATE settings SET value = 'damaged' WHERE key = 'device_password_hash'");
        db.prepare('UPDATE identity SET private_jwk = ?').run(text);
      });
      const running = await start();
      expect((await running.browser.send('POST', '/api/v1/session', { password: 'wrong' })).status).toBe(401);
      expect((await about(running)).uid).toBe(uid);
      expect(await running.answer<object[]>('/api/v1/metrics')).not.toHaveLength(0);
      expect(await running.answer('/api/v1/tariffs')).toMatchObject({
        tariffs: JSON.parse(FACTS.tariffs ?? ''),
      });
      expect(await running.answer('/api/v1/support')).toMatchObject({ access: 'never' });
      const { rules } = await running.answer<{ rules: { id: string }[] }>('/api/v1/alert_rules');
      expect(rules.map(({ id }) => id)).toContain('much');
      const session = (await (await running.browser.get('/api/v1/session')).json()) as DeviceSession;
      expect(session).toMatchObject({ has_password: true, store_problem: null });
      expect(lines.map(({ msg }) => msg)).toContain('a stored fact is damaged and restored from its copy');
    },
  );
});

type Row = Readonly<Record<string, string | number | null>>;

/** Three rows of each table that has one for an event, a day or an hour. The middle one is damaged. */
const ROWS: Readonly<Record<string, (index: number) => Row>> = {
  write_log: (index) => ({
    ...{ id: index + 101, at: NOW + index, author: 'local', via: 'lan', topic: 'inverter_1/work_mode' },
    ...{ old_value: '1', new_value: '2', outcome: 'ok', reason: null, sent: 1, settled_at: NOW, is_open: 1 },
    ...{ also_changed: '[]', serial_number: 'A1' },
  }),
  audit_log: (index) => ({
    ...{ id: index + 101, at: NOW + index, action: 'tariffs.change', author: 'local', via: 'lan' },
    ...{ address: '192.0.2.1', subject: null, changes: '[]', outcome: 'ok' },
  }),
  alerts: (index) => ({
    ...{ id: index + 101, revision: index + 101, rule: 'much', kind: 'above', severity: 'warning' },
    ...{ topic: 'total/grid_power', name: 'Much', detail: null, value: '9500', limit_value: 9000, unit: 'W' },
    ...{ since: NOW, raised_at: NOW, last_at: NOW, cleared_at: NOW + 1 },
    ...{ acknowledged_at: null, acknowledged_by: null, times: 1 },
  }),
  energy_days: (index) => ({
    ...{ day: TODAY - 4 + index, amounts: '{"PV energy":{"wattHours":1000,"rest":0}}', hour: null },
  }),
  energy_hours: (index) => ({
    start: (TODAY - 4 + index) * DAY_MS,
    covered_ms: HOUR_MS,
    pv: 7_200_000_000_000,
  }),
};

const LISTS = [
  ['/api/v1/settings/log', Compile(settingWriteOperations.listSettingWrites.answers[200])],
  ['/api/v1/audit', Compile(deviceAuditOperations.listDeviceAudit.answers[200])],
  ['/api/v1/alerts', Compile(alertOperations.listAlerts.answers[200])],
] as const;

it.each<[string, string, bigint]>([
  ['brackets and the year 1970', '[', 1n],
  ['bytes of no text and the latest moment', '\uFFFD', 8_640_000_000_000_001n],
  ['no text and the largest number', '', 2n ** 63n - 1n],
  ['null as text and the smallest number', 'null', -(2n ** 63n)],
])(
  'a device answers with all other rows where one of each table has %s in each place',
  async (_, text, number) => {
    inStore((db) => {
      for (const [table, row] of Object.entries(ROWS)) {
        for (const index of [0, 1, 2]) {
          const columns = Object.keys(row(index));
          db.prepare(
            `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          ).run(...Object.values(row(index)));
        }
        const [key = ''] = Object.keys(row(1));
        for (const { name, type } of db.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)) {
          if (name === key) continue;
          db.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${key} = ?`).run(
            type === 'TEXT' ? text : number,
            row(1)[key] ?? null,
          );
        }
      }
    });
    const running = await start();
    expect((await about(running)).uid).toBe(uid);
    const whole = [103, 101];
    for (const [path, schema] of LISTS) {
      const entries = await running.answer<{ id: number }[]>(path);
      expect(
        entries.map(({ id }) => id).filter((id) => whole.includes(id)),
        path,
      ).toEqual(whole);
      expect(schema.Errors(entries), path).toEqual([true, []]);
      // A page that is shorter than asked for is the last one to its readers.
      expect(await running.answer<object[]>(`${path}?limit=2`), path).toHaveLength(2);
    }
    const from = new Date((TODAY - 5) * DAY_MS).toISOString();
    const { steps } = await running.answer<EnergyAnswer>(`/api/v1/energy?step=day&from=${from}`);
    expect(steps.filter(({ pv }) => pv === 1_000)).toHaveLength(2);
  },
);

it('a device that cannot start with its store serves its readings and leads to /store', async () => {
  inStore((db) => db.exec('DROP TABLE alerts'));
  const running = await start();
  const session = async () => (await (await running.browser.get('/api/v1/session')).json()) as DeviceSession;
  expect((await session()).store_problem).toMatchObject({ fault: 'damaged', has_identity: true });
  expect((await about(running)).uid).toBe(uid);
  expect(await running.answer<object[]>('/api/v1/metrics')).not.toHaveLength(0);
  const readiness = await fetch(`${running.url}/readyz`);
  const { checks } = (await readiness.json()) as {
    checks: { name: string; status: string; detail: string }[];
  };
  expect([readiness.status, checks.find(({ name }) => name === 'store')]).toEqual([
    503,
    {
      name: 'store',
      status: 'failed',
      detail: 'Settings and energy cannot be stored: the database is damaged',
    },
  ]);
  expect(checks.find(({ name }) => name === 'history')).toMatchObject({
    status: 'warning',
    detail: 'Stopped: the store of the device cannot be used',
  });
  expect(await (await fetch(`${running.url}/metrics`)).text()).toMatch(/device_history_recording 0$/m);
  const begun = await running.browser.send('POST', '/api/v1/store', { password: WHOLE_DEVICE_PASSWORD });
  expect(begun.status).toBe(202);
  await expect.poll(async () => (await session().catch(() => undefined))?.store_problem).toBeNull();
  expect(readdirSync(folder).some((name) => name.startsWith('device.sqlite.unusable-'))).toBe(true);
});
