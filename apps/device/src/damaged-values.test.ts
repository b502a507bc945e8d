import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeviceAbout, DeviceSession } from '@heliograph/contracts';
import { createLogger } from '@heliograph/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWholeDevice, WHOLE_DEVICE_PASSWORD, type WholeDevice } from '../test/whole-device.ts';

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
