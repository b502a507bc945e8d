import { packDay } from '@heliograph/cloud/testing';
import {
  type DeviceHistoryBody,
  HISTORY_ENERGY_FIELDS,
  HISTORY_TOTAL_NAMES,
  HISTORY_TOTALS,
} from '@heliograph/contracts';
import { generateSigningKey, type SigningKey, signDeviceProof, uidOf } from '@heliograph/wire';
import type { Client } from 'pg';
import type { Bench } from '../bench.ts';
import { fill, TOKENS } from '../cloud/fill.ts';
import { latencies } from '../cloud/latencies.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

const SITES = 100_000;
/** Devices that send, each twice. */
const SENDERS = 1_500;
const CONCURRENCY = 16;

/** Each site sends every 15 minutes. */
const NEEDED_PER_SECOND = SITES / (15 * 60);
const QUARTERS = 96;
const HOURS = 24;

const PAGES = 300;
const LIMITS = { pageMs: 300, timesNeeded: 2, bytesPerValue: 2 };

export const bench: Bench = {
  description: `what the cloud keeps of ${SITES} sites: bytes for a value, uploads for a second, pages of the list`,
  async run() {
    const days = Array.from({ length: 100 }, (_, seed) => day(seed));
    const packed = days.map(packDay);
    const values = QUARTERS * HISTORY_TOTAL_NAMES.length + HOURS * HISTORY_ENERGY_FIELDS.length;
    const bytes = packed.reduce((sum, one) => sum + one.length, 0) / packed.length / values;

    await using server = await BenchServer.start();
    const keys = await Promise.all(Array.from({ length: SENDERS }, generateSigningKey));
    const cloud = await server.cloud(SITES, async (client, rows) => {
      await fill(client, rows);
      await fillHistory(client, keys, packed);
    });
    const times = await latencies(
      cloud.url,
      TOKENS.staff,
      Array.from({ length: PAGES }, (_, i) => `/sites?limit=20&offset=${(i * 320) % SITES}`),
    );
    const pageMs = quantile(times, 0.99);
    await send(cloud.url, keys.slice(0, 500));
    const before = { cloud: cpuSeconds(cloud.pid), database: server.cpuSeconds() };
    const begun = performance.now();
    await send(cloud.url, keys);
    const seconds = (performance.now() - begun) / 1000;
    const cost = (used: number) => ((used * 1000) / keys.length).toFixed(2);
    const perSecond = keys.length / seconds;
    console.log(
      `an upload costs ${cost(cpuSeconds(cloud.pid) - before.cloud)} ms of the cloud's core and ` +
        `${cost(server.cpuSeconds() - before.database)} ms of PostgreSQL's; ${perSecond.toFixed(0)} a second here, clients included`,
    );
    console.log(
      `a page of the list takes ${quantile(times, 0.5).toFixed(1)} ms in the middle, with newest values`,
    );
    const kept = [
      reportLimit(bytes <= LIMITS.bytesPerValue, `${bytes.toFixed(2)} bytes for a value (at most 2)`),
      reportLimit(
        perSecond >= LIMITS.timesNeeded * NEEDED_PER_SECOND,
        `${(perSecond / NEEDED_PER_SECOND).toFixed(1)} times the uploads of ${SITES} sites (at least ${LIMITS.timesNeeded})`,
      ),
      reportLimit(
        pageMs <= LIMITS.pageMs,
        `a page of the list takes ${pageMs.toFixed(0)} ms at the 99th percentile (at most ${LIMITS.pageMs})`,
      ),
    ];
    return kept.every(Boolean);
  },
};

/** A home with noise, whose values change in every quarter. */
function day(seed: number): Parameters<typeof packDay>[0] {
  let state = seed + 1;
  const noise = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const means = Object.fromEntries(
    HISTORY_TOTAL_NAMES.map((name, i) => {
      const largest = HISTORY_TOTALS[name].unit === 'W' ? 5_000 : 50 + 20 * i;
      const column = Array.from({ length: QUARTERS }, (_, quarter) => {
        const sun = Math.max(0, Math.sin(((quarter - 24) / 48) * Math.PI));
        return Math.round(largest * (0.5 + 0.5 * sun * (0.6 + 0.4 * noise())));
      });
      return [name, column];
    }),
  );
  const energy = Object.fromEntries(
    HISTORY_ENERGY_FIELDS.map((name) => [
      name,
      Array.from({ length: HOURS }, () =>
        name === 'covered_s' ? 3_600 : Math.round(noise() * 30_000) / 10_000,
      ),
    ]),
  );
  return { means, energy };
}

async function fillHistory(
  client: Client,
  keys: readonly SigningKey[],
  packed: readonly Uint8Array[],
): Promise<void> {
  await client.query(
    `insert into site_history_consents (site_id, owner_id, agreed, decided_at)
      select id, owner_id, true, now() from sites`,
  );
  await client.query(
    `insert into site_history_days (site_id, day, time_zone, data)
      select id, current_date, 'UTC', ($1::bytea[])[1 + id % $2] from sites`,
    [packed, packed.length],
  );
  await client.query(
    `insert into site_newest_values (site_id, at, day, pv_power, load_power, grid_power, battery_power, state_of_charge, pv)
      select id, now() - id % 900 * interval '1 second', current_date, id % 5000, id % 700, 0, id % 300, id % 100, id % 40
      from sites`,
  );
  await client.query('alter table devices disable trigger user');
  await client.query(
    `update devices set uid = sent.uid, public_key = sent.key::jsonb
      from unnest($1::int[], $2::text[], $3::text[]) as sent(site_id, uid, key) where devices.site_id = sent.site_id`,
    [
      keys.map((_, i) => i + 1),
      keys.map(({ publicJwk }) => uidOf(publicJwk)),
      keys.map(({ publicJwk: { kty, crv, x } }) => JSON.stringify({ kty, crv, x })),
    ],
  );
  await client.query('alter table devices enable trigger user');
  await client.query('vacuum analyze');
}

/** The newest quarter of an hour of each device. */
async function send(url: string, keys: readonly SigningKey[]): Promise<void> {
  const now = new Date();
  const date = now.toISOString().slice(0, 10);
  const quarter = Math.floor((now.getTime() % 86_400_000) / 900_000);
  const body: DeviceHistoryBody = {
    days: [
      {
        date,
        time_zone: 'UTC',
        first_quarter: quarter,
        means: Object.fromEntries(HISTORY_TOTAL_NAMES.map((name) => [name, [230]])),
        first_hour: Math.floor(quarter / 4),
        energy: Object.fromEntries(HISTORY_ENERGY_FIELDS.map((name) => [name, [0.5]])),
      },
    ],
    newest: {
      at: now.toISOString(),
      date,
      pv_power: 1_200,
      load_power: 300,
      grid_power: -700,
      battery_power: 200,
      state_of_charge: 55,
      pv: 4.2,
      load: 2.1,
      battery_in: 1,
      battery_out: 0.2,
      grid_in: 0.1,
      grid_out: 1.4,
    },
  };
  const content = JSON.stringify(body);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < keys.length; index = next++) {
      const key = keys[index] as SigningKey;
      const uid = uidOf(key.publicJwk);
      const answer = await fetch(`${url}/api/v1/devices/history?uid=${uid}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${await signDeviceProof(key, uid, url, Date.now())}`,
          'content-type': 'application/json',
          'x-forwarded-for': `10.1.${index >> 8}.${index & 255}`,
        },
        body: content,
      });
      const text = await answer.text();
      if (answer.status !== 200 || text.includes('null'))
        throw new Error(`the cloud answers ${answer.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
