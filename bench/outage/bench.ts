import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { fill } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

const SITES = 10_000;
const ORGANIZATIONS = 20;
const ANNOUNCE_MS = 5_000;
/** The watch has looked at the sites once by then, in milliseconds. */
const WARM_UP_MS = 20_000;
const PATIENCE_MS = 5 * 60_000;
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
      await client.query(`update devices set online = true, proxy_name = 'us-1', last_seen_at = now()`);
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
    const announce = (): Promise<unknown> => database.query('update proxies set announced_at = now()');
    await announce();
    let announcing = setInterval(() => void announce(), ANNOUNCE_MS);
    undo.defer(async () => clearInterval(announcing));
    await sleep(WARM_UP_MS);
    const used = () => ({ cloud: cpuSeconds(cloud.pid), database: server.cpuSeconds() });
    const before = used();

    clearInterval(announcing);
    await announce();
    const lostMs = await until(database, ({ mails }) => mails >= ORGANIZATIONS);
    await sleep(AFTERMATH_MS);
    const lost = await count(database);
    const after = used();
    announcing = setInterval(() => void announce(), ANNOUNCE_MS);
    await announce();
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
