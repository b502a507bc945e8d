import { setTimeout as sleep } from 'node:timers/promises';
import type { ProxyAnnounceBody, ProxyChangeBody } from '@heliograph/contracts';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { fill } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { PROXY_CREDENTIAL, PROXY_NAME } from '../proxy-process.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

const SITES = 10_000;
const ORGANIZATIONS = 20;
const ANNOUNCE_MS = 5_000;
/** The watch has looked at the sites once by then, in milliseconds. */
const WARM_UP_MS = 20_000;
const PATIENCE_MS = 2 * 60_000;
/** Messages that should not be sent would be by then, in milliseconds. */
const AFTERMATH_MS = 40_000;
const LIMITS = { noticeMs: 60_000 };

interface Counts {
  /** Mails to managers about outages. */
  readonly mails: number;
  readonly organizations: number;
  readonly began: number;
  readonly ended: number;
  /** Events of single sites that people would be notified of. */
  readonly alerts: number;
  readonly open: number;
}

export const bench: Bench = {
  description: `${SITES} homes of ${ORGANIZATIONS} organizations on one proxy, which dies and returns: the messages of their managers`,
  async run() {
    await using server = await BenchServer.start();
    const cloud = await server.cloud(SITES, async (client, rows) => {
      await fill(client, rows);
      await client.query(
        'insert into proxy_credentials (proxy_name, hash, created_at) values ($1, sha256($2::bytea), now())',
        [PROXY_NAME, Buffer.from(PROXY_CREDENTIAL)],
      );
      await client.query(
        'update devices set online = false, proxy_name = $1, assigned_proxy = $1, last_seen_at = null',
        [PROXY_NAME],
      );
      await client.query(`insert into organization_members (organization_id, user_id, role)
        select organization_id, min(id), 'owner' from users where organization_id > 1 group by organization_id`);
      await client.query('vacuum analyze');
    });
    const database = new pg.Client({ connectionString: cloud.databaseUrl });
    await database.connect();
    // PostgreSQL stops while the connection is closing.
    database.on('error', () => undefined);
    await using undo = new AsyncDisposableStack();
    undo.defer(() => database.end());
    const proxy = new AnnouncedProxy(cloud.url);
    undo.use(proxy);
    await proxy.start();
    await sleep(WARM_UP_MS);
    const used = () => ({ cloud: cpuSeconds(cloud.pid), database: server.cpuSeconds() });
    const before = used();

    proxy.kill();
    const lostMs = await until(database, ({ mails }) => mails >= ORGANIZATIONS);
    await sleep(AFTERMATH_MS);
    const lost = await count(database);
    const after = used();
    await proxy.start();
    const backMs = await until(database, ({ mails, open }) => mails >= 2 * ORGANIZATIONS && open === 0);
    await sleep(AFTERMATH_MS);
    const back = await count(database);
    console.log(
      `the loss costs ${(after.cloud - before.cloud).toFixed(1)} s of the cloud's core and ` +
        `${(after.database - before.database).toFixed(1)} s of PostgreSQL's`,
    );
    const kept = [
      reportLimit(
        lostMs <= LIMITS.noticeMs,
        `the manager of every organization has a mail ${seconds(lostMs)} after the proxy died (at most ${seconds(LIMITS.noticeMs)})`,
      ),
      reportLimit(
        lost.mails === ORGANIZATIONS && lost.organizations === ORGANIZATIONS && lost.began === ORGANIZATIONS,
        `${lost.mails} mails and ${lost.began} events of outages to ${lost.organizations} organizations, one each`,
      ),
      reportLimit(lost.open === SITES, `${lost.open} of ${SITES} sites are listed as offline`),
      reportLimit(
        back.ended === ORGANIZATIONS && back.mails === 2 * ORGANIZATIONS && back.open === 0,
        `one mail more for each once all are back, the last ${seconds(backMs)} after the proxy; ${back.open} sites are listed as offline`,
      ),
      reportLimit(back.alerts === 0, `${back.alerts} messages about single sites`),
    ];
    return kept.every(Boolean);
  },
};

/** A proxy as the cloud sees it: it announces that it holds every device, and then every few seconds that nothing has changed. */
class AnnouncedProxy implements Disposable {
  readonly #url: string;
  #runs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(cloudUrl: string) {
    this.#url = `${cloudUrl}/api/v1/proxies/${PROXY_NAME}`;
  }

  async start(): Promise<void> {
    const run = String(++this.#runs);
    const sessions = Array.from({ length: SITES }, (_, index) => ({
      uid: `device${index + 1}`,
      site_id: index + 1,
    }));
    const place = { host: 'bench-1.example.org', url: 'https://bench-1.example.org', region: 'us' };
    let sequence = 0;
    await this.#send('PUT', { ...place, run, sequence, sessions } satisfies ProxyAnnounceBody);
    this.#timer = setInterval(() => {
      sequence++;
      const unchanged: ProxyChangeBody = { run, sequence, draining: false, removed: [], added: [] };
      this.#send('PATCH', unchanged).catch((error: unknown) => console.error(error));
    }, ANNOUNCE_MS);
  }

  kill(): void {
    clearInterval(this.#timer);
  }

  [Symbol.dispose](): void {
    this.kill();
  }

  async #send(method: 'PUT' | 'PATCH', body: object): Promise<void> {
    const answer = await fetch(this.#url, {
      method,
      headers: { authorization: `Bearer ${PROXY_CREDENTIAL}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the cloud answers ${answer.status}: ${await answer.text()}`);
  }
}

/** @returns after how many milliseconds it was so */
async function until(database: pg.Client, isSo: (counts: Counts) => boolean): Promise<number> {
  const beganMs = Date.now();
  while (Date.now() - beganMs < PATIENCE_MS && !isSo(await count(database))) await sleep(500);
  return Date.now() - beganMs;
}

async function count(database: pg.Client): Promise<Counts> {
  const { rows } = await database.query<Counts>(`select
    (select count(*)::int from mailbox_messages) as mails,
    (select count(distinct organization_id)::int from outages) as organizations,
    (select count(*)::int from events where type = 'outage.began') as began,
    (select count(*)::int from events where type = 'outage.ended') as ended,
    (select count(*)::int from events where type in ('alert.raised', 'alert.cleared')) as alerts,
    (select count(*)::int from alerts where cleared_at is null) as open`);
  const [counts] = rows;
  if (counts === undefined) throw new Error('PostgreSQL counts nothing');
  return counts;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}
