import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeviceSession } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import { createLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWholeDevice, WHOLE_DEVICE_PASSWORD, type WholeDevice } from '../test/whole-device.ts';

/** How a device with a store in memory answers an operation that changes something. */
interface Row {
  readonly body?: object;
  readonly params?: string;
  /** Path that shows the state, which a refusal leaves as it was. */
  readonly shownBy?: string;
  /** By default that of a change. */
  readonly refusal?: RegExp;
  /** Why it is not refused; undefined: the change would be lost with the next start. */
  readonly allowed?: string;
}

const TARIFF = {
  valid_from: '2026-11-01',
  currency: 'EUR',
  import: [{ price: 0.3 }],
  export: [{ price: 0.08 }],
  fixed_charges: [],
};
const RULE = {
  id: 'much',
  name: 'Much',
  enabled: true,
  severity: 'warning',
  condition: { kind: 'above', topics: ['total/grid_power'], limit: 9000, for_s: 60 },
};
const PASSWORDS = { current: WHOLE_DEVICE_PASSWORD, password: 'another good password' };

const ROWS: Readonly<Record<string, Row>> = {
  setTariffs: { body: { tariffs: [TARIFF] }, shownBy: '/api/v1/tariffs' },
  setAlertRules: { body: { rules: [RULE] }, shownBy: '/api/v1/alert_rules' },
  changeSupport: { body: { access: 'never' }, shownBy: '/api/v1/support' },
  startCloudBackup: { body: { password: WHOLE_DEVICE_PASSWORD }, shownBy: '/api/v1/backup/cloud' },
  endCloudBackup: { shownBy: '/api/v1/backup/cloud' },
  changePassword: { body: PASSWORDS, shownBy: '/api/v1/session' },
  removePassword: { shownBy: '/api/v1/session' },
  setMetric: { body: { topic: 'x/y', value: '1' }, allowed: 'the hardware has it' },
  changeAlert: { params: '1', body: { acknowledged: true }, allowed: 'a store in memory has no alerts' },
  testNotificationReceivers: { allowed: 'it stores nothing' },
  changeConfiguration: { body: { connections: 1 }, allowed: 'the configuration file has it' },
  keepDelegation: { params: 'mN4bV3xK7pQ2sT9wY1zA0c', allowed: 'nothing is delegated' },
  endDelegation: { params: 'mN4bV3xK7pQ2sT9wY1zA0c', allowed: 'the configuration file has it' },
  startProbe: { body: { buses: ['/dev/none'] }, allowed: 'it stores nothing' },
  cancelProbe: { params: 'none', allowed: 'it stores nothing' },
  endSupportSession: { params: '1', allowed: 'the cloud has it' },
  createBackup: {
    body: { password: WHOLE_DEVICE_PASSWORD, passphrase: 'twelve characters or more' },
    refusal: /^A backup cannot be made: the database was changed by a newer release\. Open the page/,
  },
  uploadRestorePart: { allowed: 'it is a way out of a store in memory' },
  restoreBackup: { body: { passphrase: 'wrong' }, allowed: 'it is a way out of a store in memory' },
  startStore: { body: { password: 'wrong' }, allowed: 'it is a way out of a store in memory' },
  signIn: { body: { password: 'wrong' }, allowed: 'the browser signs in again' },
  setFirstPassword: { body: { password: 'another good password' }, allowed: 'the device has a password' },
};

/** They end the session, or the device. */
const LAST: Readonly<Record<string, Row>> = {
  dismissStoreLoss: { allowed: 'a store in memory has no loss' },
  signOut: { allowed: 'the browser signs in again' },
  restartDevice: { allowed: 'it stores nothing' },
};

let folder: string;
let device: WholeDevice;

const start = async (): Promise<WholeDevice> =>
  startWholeDevice('mdns: false\n', {
    dataFolder: folder,
    env: { CLOUD_URL: 'http://127.0.0.1:1' },
    backupKeyCost: { logN: 4, r: 8, p: 1 },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-store-'));
  await (await start()).stop();
  const db = new DatabaseSync(join(folder, 'device.sqlite'));
  db.exec("PRAGMA user_version = 99; UPDATE settings SET value = '98' WHERE key = 'schema_works_with'");
  db.close();
  device = await start();
});
afterAll(async () => {
  await device.stop();
  rmSync(folder, { recursive: true });
});

const REFUSAL = /^The change cannot be stored: the database was changed by a newer release/;

describe('a device whose store is one in memory', () => {
  it('every operation that changes something is in the table', () => {
    const changing = Object.values(deviceOperations).filter(({ route }) => !route.startsWith('GET '));
    expect(changing.map(({ id }) => id).toSorted()).toEqual(Object.keys({ ...ROWS, ...LAST }).toSorted());
  });

  it.each(Object.entries({ ...ROWS, ...LAST }))(
    '%s is refused with the reason where a restart would lose its change',
    async (id, { body, params, shownBy, allowed, refusal = REFUSAL }) => {
      const { route } = deviceOperations[id as keyof typeof deviceOperations];
      const [method = '', path = ''] = route.replace(/\{\w+\}/, params ?? '').split(' ');
      const before = shownBy && (await device.answer(shownBy));
      const answer = await device.browser.send(method, path, body ?? {});
      const text = await answer.text();
      if (allowed !== undefined) expect([allowed, answer.status]).not.toEqual([allowed, 503]);
      else {
        expect([answer.status, JSON.parse(text)]).toEqual([
          503,
          {
            error: expect.stringMatching(refusal),
          },
        ]);
      }
      if (shownBy !== undefined) expect(await device.answer(shownBy)).toEqual(before);
    },
  );
});

describe('a new device that cannot make its store', () => {
  let first: WholeDevice;
  let at: string;
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  beforeAll(async () => {
    at = mkdtempSync(join(tmpdir(), 'heliograph-first-'));
    mkdirSync(join(at, 'device.sqlite'));
    first = await startWholeDevice('mdns: false\n', { dataFolder: at, logger });
  });
  afterAll(async () => {
    await first.stop();
    rmSync(at, { recursive: true });
  });

  it('the configured password is in force, and no other is asked for', async () => {
    expect(await first.answer<DeviceSession>('/api/v1/session')).toMatchObject({
      has_password: true,
      signed_in: true,
      store_problem: { fault: 'unreadable', has_identity: false },
    });
    const wrong = await first.browser.send('POST', '/api/v1/session', { password: 'another password' });
    expect(wrong.status).toBe(401);
    const second = await first.browser.send('POST', '/api/v1/password', { password: 'another password' });
    expect(second.status).toBe(403);
  });

  it('no line of the log has the uid of an identity that nothing keeps', () => {
    const serves = lines.find(({ msg }) => /^the device serves this home/.test(String(msg)));
    expect(serves).toMatchObject({
      uid: null,
      msg: expect.stringMatching(/without its stored data: open it in a browser$/),
    });
    expect(lines.filter(({ uid }) => typeof uid === 'string')).toEqual([]);
  });

  it('readiness and metrics report the store as unusable', async () => {
    const answer = await fetch(`${first.url}/readyz`);
    const { checks } = (await answer.json()) as { readonly checks: readonly object[] };
    expect(checks).toContainEqual({
      name: 'store',
      status: 'failed',
      detail: 'Settings and energy cannot be stored: the database cannot be read or written',
    });
    expect(await (await fetch(`${first.url}/metrics`)).text()).toMatch(/^heliograph_device_store_usable 0$/m);
  });
});
