import { createECDH, createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceAlert, DeviceAlertsBody } from '@heliograph/contracts';
import { generateSigningKey, type SigningKey, signDeviceProof, uidOf } from '@heliograph/wire';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { BenchServer, type FilledCloud } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import type { ArrivedMessage, ReceiversFacts } from './receivers.ts';

const PROGRAM = join(import.meta.dirname, '../../apps/cloud/test/local-internet.ts');

/** Alerts of one call, as many as a device may send. */
const BATCH_SIZE = 100;

/** As many browsers as an account may have; it has an ntfy topic, too. */
const BROWSERS = 20;

/** Of each phase: other homes whose alert goes to one ntfy topic each. */
const NEIGHBOURS = 8;
const NEIGHBOUR_INTERVAL_MS = 500;

/** A message that has not arrived by then is reported with this delay, in milliseconds. */
const PATIENCE_MS = 120_000;

const LIMITS = { addedMs: 2_000, times: 3 };

const FLOODS = [
  { calls: 12, receivers: 'fails' },
  { calls: 60, receivers: 'fails' },
  { calls: 12, receivers: 'holds' },
  { calls: 60, receivers: 'holds' },
] as const;

interface Home {
  readonly userId: number;
  readonly key: SigningKey;
  readonly uid: string;
}

export const bench: Bench = {
  description: `the alerts of other homes while one device raises 1,200 or 6,000, to ${BROWSERS + 1} receivers that fail or hold their connections`,
  async run() {
    await using server = await BenchServer.start({ program: PROGRAM });
    const cloud = await server.cloud(1_000);
    const receivers = await startChild<ReceiversFacts>(join(import.meta.dirname, 'receivers.ts'));
    await using undo = new AsyncDisposableStack();
    undo.defer(() => receivers.process.disconnect());
    const database = new pg.Client({ connectionString: cloud.databaseUrl });
    await database.connect();
    // PostgreSQL stops while the connection is closing.
    database.on('error', () => undefined);
    undo.defer(() => database.end());
    const arrivals = new Map<string, number>();
    receivers.process.on('message', ({ topic, atMs }: ArrivedMessage) => arrivals.set(topic, atMs));
    const setUp = new HomeSetUp(cloud, database, receivers.message.url);

    /** @returns the delays of messages of neighbours, in milliseconds */
    const neighbours = async (phase: string): Promise<number[]> => {
      const delays: Promise<number>[] = [];
      for (let n = 0; n < NEIGHBOURS; n++) {
        const topic = `${phase}-${n}`;
        const home = await setUp.home({ ntfy: `served/${topic}` });
        const beganMs = Date.now();
        while (!(await upload(cloud, home, [alertOf(0)])));
        delays.push(
          until(() => arrivals.has(topic)).then(() => (arrivals.get(topic) ?? Date.now()) - beganMs),
        );
        await sleep(NEIGHBOUR_INTERVAL_MS);
      }
      return Promise.all(delays);
    };

    const kept: boolean[] = [];
    for (const { calls, receivers: kind } of FLOODS) {
      const hostile = await setUp.home({ ntfy: `${kind}/hostile`, browsers: `${kind}/push` });
      const alone = await neighbours(`before-${kind}-${calls}`);
      console.log(`alone: ${describe(alone)}`);
      const beganMs = Date.now();
      const flood = (async () => {
        let taken = 0;
        for (let call = 0; call < calls; call++) {
          const from = call * BATCH_SIZE;
          const alerts = Array.from({ length: BATCH_SIZE }, (_, index) => alertOf(from + index));
          if (await upload(cloud, hostile, alerts)) taken++;
        }
        return { taken, seconds: (Date.now() - beganMs) / 1000 };
      })();
      const [{ taken, seconds }, delays] = await Promise.all([flood, neighbours(`${kind}-${calls}`)]);
      const name = `behind ${calls * BATCH_SIZE} alerts whose receiver ${kind}`;
      console.log(`${name} (${taken} of ${calls} calls taken, ${seconds.toFixed(1)} s): ${describe(delays)}`);
      const addedMs = Math.max(...delays) - Math.max(...alone);
      const times = quantile(delays, 0.5) / quantile(alone, 0.5);
      kept.push(
        reportLimit(
          addedMs <= LIMITS.addedMs,
          `${name}: ${addedMs.toFixed(0)} ms more at most (at most ${LIMITS.addedMs})`,
        ),
        reportLimit(
          times <= LIMITS.times,
          `${name}: ${times.toFixed(2)} times as long in the middle (at most ${LIMITS.times})`,
        ),
      );
      await setUp.remove(hostile);
    }
    return kept.every(Boolean);
  },
};

/** Gives sites of the filled database a device that the benchmark speaks for, and their owners receivers. */
class HomeSetUp {
  readonly #cloud: FilledCloud;
  readonly #database: pg.Client;
  readonly #receivers: string;
  #siteId = 100;

  constructor(cloud: FilledCloud, database: pg.Client, receivers: string) {
    this.#cloud = cloud;
    this.#database = database;
    this.#receivers = receivers;
  }

  /** @param browsers the path of their push service */
  async home({ ntfy, browsers }: { readonly ntfy: string; readonly browsers?: string }): Promise<Home> {
    // The owner of a site has its number.
    const siteId = ++this.#siteId;
    const key = await generateSigningKey();
    const { kty, crv, x } = key.publicJwk;
    const uid = uidOf(key.publicJwk);
    await this.#database.query('update devices set uid = $1, public_key = $2 where site_id = $3', [
      uid,
      JSON.stringify({ kty, crv, x }),
      siteId,
    ]);
    await this.#database.query('update sites set organization_id = null where id = $1', [siteId]);
    const token = `hgs_bench-${siteId}`.padEnd(47, '0');
    await this.#database.query(
      `insert into tokens (kind, hash, user_id, scopes, created_at, authenticated_at, last_used_at)
      values ('session', $1, $2, '{}', now(), now(), now() + interval '1 day')`,
      [createHash('sha256').update(token).digest(), siteId],
    );
    const call = async (route: string, body: object): Promise<void> => {
      const [method = '', path = ''] = route.split(' ');
      const answer = await fetch(this.#cloud.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`the cloud answers ${answer.status}: ${await answer.text()}`);
    };
    await call('PATCH /api/v1/user/notification_settings', {
      mail: false,
      ntfy: { url: `${this.#receivers}/${ntfy}` },
    });
    for (let n = 0; browsers !== undefined && n < BROWSERS; n++)
      await call('POST /api/v1/user/push_subscriptions', {
        endpoint: `${this.#receivers}/${browsers}/${siteId}-${n}`,
        keys: {
          p256dh: createECDH('prime256v1').generateKeys('base64url'),
          auth: randomBytes(16).toString('base64url'),
        },
      });
    return { userId: siteId, key, uid };
  }

  async remove({ userId }: Home): Promise<void> {
    await this.#database.query('delete from notifications where user_id = $1', [userId]);
    await this.#database.query('delete from notification_settings where user_id = $1', [userId]);
    await this.#database.query('delete from push_subscriptions where user_id = $1', [userId]);
  }
}

function alertOf(n: number): DeviceAlert {
  const at = new Date().toISOString();
  return {
    id: n + 1,
    ...{ rule: `fault_${n}`, kind: 'complaint', severity: 'critical', topic: 'inverter_1/fault' },
    ...{
      name: 'Fault',
      detail: `F${n}`,
      value: null,
      limit: null,
      unit: '',
      text: `Inverter 1 reports: F${n}`,
    },
    ...{ since: at, raised_at: at, last_at: at, cleared_at: null },
    ...{ acknowledged_at: null, acknowledged_by: null, times: 1 },
  };
}

/** @returns whether the cloud took it */
async function upload(cloud: FilledCloud, { key, uid }: Home, alerts: DeviceAlert[]): Promise<boolean> {
  const proof = await signDeviceProof(key, uid, cloud.url, Date.now());
  const answer = await fetch(`${cloud.url}/api/v1/devices/alerts?uid=${uid}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${proof}`, 'content-type': 'application/json' },
    body: JSON.stringify({ alerts, open: null } satisfies DeviceAlertsBody),
  });
  const text = await answer.text();
  // It refuses a flood, and is short of time during one.
  if (!answer.ok && answer.status !== 429 && answer.status !== 503)
    throw new Error(`the cloud answers ${answer.status}: ${text}`);
  return answer.ok;
}

async function until(condition: () => boolean): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; !condition() && Date.now() < endMs; ) await sleep(20);
}

function describe(delays: readonly number[]): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return `a message after ${seconds(quantile(delays, 0.5))} s in the middle, ${seconds(Math.max(...delays))} s at most`;
}
