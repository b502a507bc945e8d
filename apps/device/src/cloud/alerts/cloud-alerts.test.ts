import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import type { DeviceAlertsAnswer, DeviceAlertsBody } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import { createLogger, ManualClock, silentLogger } from '@heliograph/kit';
import { generateSigningKey, uidOf } from '@heliograph/wire';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlertStore, type StoredAlert } from '../../alerts/alert-store.ts';
import { CloudProblems } from '../../common/cloud-problems.ts';
import { Registration } from '../../common/registration.ts';
import { openTemporaryDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { CloudHistory } from '../history/cloud-history.ts';
import { CloudAlerts } from './cloud-alerts.ts';

const NOON = Date.parse('2026-06-21T10:00:00Z');

/** A cloud that keeps what it gets. */
class PlayedCloud {
  isDown = false;
  /** Ends the connection after it has stored a body. */
  losesAnswers = false;
  acknowledged: DeviceAlertsAnswer['acknowledged'] = [];
  /** Rules of alerts that it does not store. */
  refuses = new Set<string>();
  readonly #stored = new Set<number>();
  readonly bodies: DeviceAlertsBody[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const body = (await json(request)) as DeviceAlertsBody;
    if (this.isDown) {
      response.writeHead(503).end('{}');
      return;
    }
    this.bodies.push(body);
    if (this.losesAnswers) {
      request.socket.destroy();
      return;
    }
    const { acknowledged } = this;
    const isRefused = ({ rule }: { rule: string }) => this.refuses.has(rule);
    for (const { id } of body.alerts.filter((alert) => !isRefused(alert))) this.#stored.add(id);
    const answer: DeviceAlertsAnswer = {
      acknowledged,
      refused: body.alerts.filter(isRefused).map(({ id, raised_at }) => ({ id, raised_at })),
      ...(body.open !== null && { missing: body.open.filter(({ id }) => !this.#stored.has(id)) }),
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });

  async start(): Promise<string> {
    inPieces(this.#server).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The rules of the alerts that came, in their order. */
  get rules(): string[] {
    return this.bodies.flatMap(({ alerts }) => alerts.map(({ rule }) => rule));
  }
}

let cloud: PlayedCloud;
let clock: ManualClock;
let db: DatabaseSync;
let alerts: AlertStore;
let make: () => CloudAlerts;
const acknowledgements: unknown[] = [];
beforeEach(async () => {
  cloud = new PlayedCloud();
  clock = new ManualClock(NOON);
  db = openTemporaryDatabase();
  alerts = new AlertStore(db);
  acknowledgements.length = 0;
  const key = await generateSigningKey();
  const access = { cloudUrl: await cloud.start(), uid: uidOf(key.publicJwk), key };
  const watch = {
    subscribe: () => () => true,
    acknowledge: (id: number, isKnown: boolean, author: string) => {
      acknowledgements.push([id, isKnown, author]);
      return alerts.update(id, { acknowledgedAt: NOON, acknowledgedBy: author }) as StoredAlert;
    },
  };
  make = () =>
    new CloudAlerts({
      access,
      problems: new CloudProblems(),
      registration: new Registration(),
      alerts,
      watch,
      store: new KeyValueStore(db),
      clock,
      logger: silentLogger,
    });
});
afterEach(() => {
  cloud.stop();
  db.close();
});

const raise = (rule: string, values: Partial<StoredAlert> = {}): StoredAlert =>
  alerts.insert({
    rule,
    kind: 'below',
    severity: 'warning',
    topic: 'battery_1/state_of_charge',
    name: 'State of charge',
    detail: null,
    value: 8,
    limit: 10,
    unit: '%',
    since: NOON,
    raisedAt: NOON,
    lastAt: NOON,
    ...values,
  });

it('changes that the cloud did not take are sent again in their order, and nothing else', async () => {
  const first = raise('battery_low');
  await make().send();
  cloud.isDown = true;
  raise('grid_lost');
  alerts.update(first.id, { clearedAt: NOON + 1 });
  await expect(make().send()).rejects.toThrow();
  cloud.isDown = false;
  await make().send();
  await make().send();
  expect(cloud.rules).toEqual(['battery_low', 'grid_lost', 'battery_low']);
});

it('an upload whose answer was lost is sent again', async () => {
  raise('battery_low');
  cloud.losesAnswers = true;
  await expect(make().send()).rejects.toThrow();
  cloud.losesAnswers = false;
  await make().send();
  expect(cloud.rules).toEqual(['battery_low', 'battery_low']);
});

it('hundreds of changes of an outage are sent in parts, and what is open with the last', async () => {
  for (let n = 0; n < 250; n++) raise(`rule_${n}`);
  await make().send();
  expect(cloud.bodies.map(({ alerts: part }) => part.length)).toEqual([100, 100, 50]);
  expect(cloud.rules).toEqual(Array.from({ length: 250 }, (_, n) => `rule_${n}`));
  expect(cloud.bodies.map(({ open }) => open?.length)).toEqual([undefined, undefined, 250]);
});

it('open alerts that the cloud does not have are sent again, the most severe first', async () => {
  for (let n = 0; n < 150; n++) raise(`rule_${n}`);
  raise('grave', { severity: 'critical' });
  const over = raise('over');
  cloud.refuses = new Set([...Array.from({ length: 150 }, (_, n) => `rule_${n}`), 'grave', 'over']);
  await make().send();
  alerts.update(over.id, { clearedAt: NOON });
  cloud.refuses = new Set();
  cloud.bodies.length = 0;
  await make().send();
  expect(cloud.rules.slice(0, 2)).toEqual(['over', 'grave']);
  expect(cloud.rules).toHaveLength(152);
  // The last upload lists what is open, as the cloud has everything now.
  expect(cloud.bodies.at(-1)).toMatchObject({ alerts: [], open: { length: 151 } });
  cloud.bodies.length = 0;
  await make().send();
  expect(cloud.rules).toEqual([]);
});

it('alerts for which the cloud has no room are sent again after ten minutes, and changes meanwhile', async () => {
  raise('battery_low');
  cloud.refuses = new Set(['battery_low']);
  const device = make();
  await device.send();
  expect(cloud.rules).toEqual(['battery_low', 'battery_low']);
  raise('grid_lost');
  await device.send();
  expect(cloud.rules.slice(2)).toEqual(['grid_lost']);
  clock.advance(10 * 60_000);
  cloud.refuses = new Set();
  await device.send();
  expect(cloud.rules.slice(3)).toEqual(['battery_low']);
});

it('a store that was restored from a backup sends its alerts from the beginning', async () => {
  for (const rule of ['a', 'b', 'c']) raise(rule);
  await make().send();
  db.exec('DELETE FROM alerts');
  raise('d');
  await make().send();
  expect(cloud.rules).toEqual(['a', 'b', 'c', 'd']);
});

it('an acknowledgement in the cloud is taken over for that very alert, and not for another with its id', async () => {
  const alert = raise('battery_low');
  const raised_at = new Date(NOON).toISOString();
  cloud.acknowledged = [
    { id: alert.id, raised_at, by: 'Ada Example' },
    { id: alert.id + 7, raised_at, by: 'Ada Example' },
  ];
  await make().send();
  await make().send();
  expect(acknowledgements).toEqual([[alert.id, true, 'Ada Example']]);
  alerts.update(alert.id, { acknowledgedAt: null, acknowledgedBy: null });
  cloud.acknowledged = [{ id: alert.id, raised_at: '2020-01-01T00:00:00Z', by: 'Ada Example' }];
  await make().send();
  expect(acknowledgements).toHaveLength(1);
});

it('texts longer than the cloud takes are shortened', async () => {
  raise('fault', { detail: 'x'.repeat(1_000), name: 'y'.repeat(1_000) });
  await make().send();
  const [sent] = cloud.bodies[0]?.alerts ?? [];
  expect([sent?.detail?.length, sent?.name?.length]).toEqual([200, 100]);
});

it('a cloud that cannot be reached is worth one warning, whatever could not be sent to it, and another one later', async () => {
  const lines: { level: number; reason?: string }[] = [];
  const problems = new CloudProblems();
  const registration = new Registration();
  const key = await generateSigningKey();
  const shared = {
    // Port 1 is reserved (tcpmux) and nothing serves it.
    access: { cloudUrl: 'http://127.0.0.1:1', uid: uidOf(key.publicJwk), key },
    problems,
    registration,
    store: new KeyValueStore(db),
    clock: new ManualClock(NOON),
    logger: createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line)) }),
  };
  const reads = {
    history: () => Promise.reject(new Error('not read without consent')),
    energy: () => Promise.reject(new Error('not read without consent')),
    since: () => undefined,
    zone: 'Etc/UTC',
  };
  const watch = {
    subscribe: () => () => true,
    acknowledge: (id: number) => alerts.update(id, {}) as StoredAlert,
  };
  const uploads = [
    new CloudAlerts({ ...shared, alerts, watch }),
    new CloudHistory({ ...shared, reads, newest: () => null }),
  ];
  for (const one of uploads) one.start();
  registration.set(true);
  await expect.poll(() => lines.map(({ level }) => level)).toEqual([40, 30]);
  expect(new Set(lines.map(({ reason }) => reason)).size).toBe(1);
  for (const one of uploads) await one.stop();
  problems.end();
  expect(problems.levelOf(`${lines[0]?.reason}`)).toBe('warn');
});
