import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import type { DeviceHistoryBody, SiteNewestValues } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import { silentLogger } from '@heliograph/kit';
import { generateSigningKey, uidOf } from '@heliograph/wire';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, PV, RecordedHome } from '../../../test/history/recorded-home.ts';
import { CloudProblems } from '../../common/cloud-problems.ts';
import { Registration } from '../../common/registration.ts';
import { HALF_WMS_PER_WH } from '../../energy/energy-amount.ts';
import { EnergyHistory } from '../../energy/energy-history.ts';
import { EnergyStore } from '../../energy/energy-store.ts';
import { openTemporaryDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { CloudHistory } from './cloud-history.ts';

const ZONE = 'Europe/Berlin';
const QUARTER_MS = 15 * MINUTE_MS;

/** A cloud at which an owner agrees and withdraws. It keeps what it gets, by quarter and hour of the day. */
class PlayedCloud {
  agreedAt: string | null = null;
  /** Answers nothing but an error. */
  isDown = false;
  readonly bodies: DeviceHistoryBody[] = [];
  /** Means of PV, by the day and its quarter. */
  readonly means = new Map<string, number>();
  readonly hours = new Map<string, number>();
  readonly #server: Server = createServer(async (request, response) => {
    const body = (await json(request)) as DeviceHistoryBody;
    if (this.isDown) {
      response.writeHead(503).end('{}');
      return;
    }
    this.bodies.push(body);
    if (this.agreedAt !== null) for (const day of body.days) this.#store(day);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ agreed_at: this.agreedAt }));
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

  #store({ date, first_quarter, means, first_hour, energy }: DeviceHistoryBody['days'][number]): void {
    for (const [i, value] of (means.pv_power ?? []).entries())
      if (value !== null) this.means.set(`${date} ${first_quarter + i}`, value);
    for (const [i, value] of (energy.pv ?? []).entries())
      if (value !== null) this.hours.set(`${date} ${first_hour + i}`, value);
  }
}

const START = '2026-06-01T10:00:00+02:00';
const START_MS = Date.parse(START);

const NEWEST = { at: '2026-06-01T00:00:00Z', date: '2026-06-01' } as SiteNewestValues;

let home: RecordedHome;
let cloud: PlayedCloud;
let db: DatabaseSync;
let uploads: CloudHistory;
let recordedHours: number;
/** Uploads of a device in a time zone. */
let uploadsIn: (zone: string) => CloudHistory;
beforeEach(async () => {
  recordedHours = 0;
  home = new RecordedHome(START, { pollIntervalMs: MINUTE_MS });
  cloud = new PlayedCloud();
  db = openTemporaryDatabase();
  const hours = new EnergyStore(db).hours;
  const key = await generateSigningKey();
  const cloudUrl = await cloud.start();
  uploadsIn = (zone) => {
    const energy = new EnergyHistory({ store: hours, recent: () => new Map(), zone, clock: home.clock });
    return new CloudHistory({
      access: { cloudUrl, uid: uidOf(key.publicJwk), key },
      problems: new CloudProblems(),
      registration: new Registration(),
      reads: {
        history: (request) => home.history.read(request),
        energy: (request, countedMs) => energy.read(request, countedMs),
        since: () => energy.since(),
        zone,
      },
      newest: () => NEWEST,
      store: new KeyValueStore(db),
      clock: home.clock,
      logger: silentLogger,
    });
  };
  uploads = uploadsIn(ZONE);
});
afterEach(async () => {
  await uploads.stop();
  cloud.stop();
  home.stop();
  db.close();
});

/** Records for so many hours: each quarter has a mean of its own, and the sun grows from hour to hour. */
const record = (hours: number): void => {
  const { hours: store } = new EnergyStore(db);
  for (const until = recordedHours + hours; recordedHours < until; recordedHours++)
    store.save(START_MS + recordedHours * HOUR_MS, {
      covered_ms: HOUR_MS,
      pv: (recordedHours + 1) * 100 * HALF_WMS_PER_WH,
    });
  home.polls(hours * HOUR_MS, (atMs) => ({ [PV]: Math.floor(atMs / QUARTER_MS) % 5_000 }));
};

const expectedMeans = (fromMs: number, untilMs: number): readonly number[] =>
  Array.from(
    { length: Math.floor((untilMs - fromMs) / QUARTER_MS) },
    (_, i) => Math.floor((fromMs + i * QUARTER_MS) / QUARTER_MS) % 5_000,
  );

it('a device sends no value before its owner agrees, and then also those of before', async () => {
  record(2);
  await uploads.send();
  expect(cloud.bodies).toEqual([{ days: [], newest: null }]);
  cloud.agreedAt = '2026-06-01T09:00:00.000Z';
  await uploads.send();
  expect([...cloud.means.values()]).toEqual(expectedMeans(START_MS, home.clock.now()));
  expect([...cloud.hours]).toEqual([
    ['2026-06-01 10', 0.1],
    ['2026-06-01 11', 0.2],
  ]);
  expect(cloud.bodies.at(-1)?.newest).toEqual(NEWEST);
});

it('an upload has only what the cloud has not acknowledged, and an outage of days leaves neither gaps nor doubles', async () => {
  cloud.agreedAt = '2026-06-01T08:00:00.000Z';
  const start = home.clock.now();
  record(1);
  await uploads.send();
  record(1);
  const { length } = cloud.bodies;
  await uploads.send();
  expect(cloud.bodies.slice(length).map(({ days }) => days)).toMatchObject([
    [{ first_quarter: 44, means: { pv_power: { length: 4 } }, first_hour: 11 }],
  ]);
  cloud.isDown = true;
  record(24 * 10);
  await expect(uploads.send()).rejects.toThrow();
  cloud.isDown = false;
  const before = cloud.bodies.length;
  await uploads.send();
  expect(cloud.bodies.slice(before).map(({ days }) => days.length)).toEqual([7, 4]);
  expect([...cloud.means.values()]).toEqual(expectedMeans(start, home.clock.now()));
  expect(cloud.hours.size).toBe(242);
  await uploads.send();
  expect(cloud.means.size).toBe(242 * 4);
}, 60_000);

it('a device sends nothing after a withdrawal, and all again after another consent', async () => {
  cloud.agreedAt = '2026-06-01T08:00:00.000Z';
  record(1);
  await uploads.send();
  cloud.agreedAt = null;
  record(1);
  await uploads.send();
  await uploads.send();
  expect(cloud.bodies.at(-1)).toEqual({ days: [], newest: null });
  cloud.means.clear();
  cloud.agreedAt = '2026-06-01T12:00:00.000Z';
  await uploads.send();
  expect(cloud.means.size).toBe(8);
});

it('the day on which the site comes to another time zone is sent whole, by its new clock', async () => {
  cloud.agreedAt = '2026-06-01T08:00:00.000Z';
  record(3);
  await uploads.send();
  record(1);
  uploads = uploadsIn('America/New_York');
  await uploads.send();
  // It is 08:00 in New York.
  const [day] = cloud.bodies.at(-1)?.days ?? [];
  expect(day).toMatchObject({ date: '2026-06-01', time_zone: 'America/New_York' });
  expect([day?.first_quarter, day?.means.pv_power?.length]).toEqual([0, 32]);
  expect(day?.first_hour).toBe(0);
  expect(day?.energy.pv?.slice(0, 8)).toEqual([null, null, null, null, 0.1, 0.2, 0.3, 0.4]);
  record(1);
  await uploads.send();
  expect(cloud.bodies.at(-1)?.days).toMatchObject([{ first_quarter: 32, first_hour: 8 }]);
});

it('an hour that a later midnight divides is sent once by a site that comes to India, Nepal and back', async () => {
  cloud.agreedAt = '2026-06-01T08:00:00.000Z';
  record(1);
  for (const zone of ['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Kolkata']) {
    uploads = uploadsIn(zone);
    record(13);
    await uploads.send();
  }
  // The hour from 19:00 UTC is in the first one of Nepal's date, which began a quarter of an hour before that of India.
  const [day] = cloud.bodies.at(-1)?.days ?? [];
  expect(day).toMatchObject({ date: '2026-06-02', time_zone: 'Asia/Kolkata', first_hour: 0 });
  expect(day?.energy.pv?.slice(0, 3)).toEqual([0, 1.3, 1.4]);
  expect(day?.energy.covered_s?.slice(0, 3)).toEqual([0, 3600, 3600]);
});
