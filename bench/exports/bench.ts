import { createHash, randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataExport, SESSION_SCOPES } from '@heliograph/contracts';
import type { Client } from 'pg';
import type { Bench } from '../bench.ts';
import { fill } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { eventLoopSeconds } from '../usage.ts';

/** Rows of the largest table that an archive takes. */
const ROWS = 50_000;

/** Files of tickets, of the largest size. */
const FILES = 8;
const FILE_BYTES = 10 * 1024 * 1024;

/** Between two requests of the client beside it, in milliseconds. */
const INTERVAL_MS = 2;

/** Of processor time, which is counted in hundredths of a second: other programs do not count. */
const LIMIT_MS = 50;

const SESSION = 'hgs_bench-session-012345678901234567890123456789';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export const bench: Bench = {
  description: `the longest work of the event loop while an archive of ${ROWS} rows and ${FILES} files of 10 MiB is made`,
  async run() {
    await using server = await BenchServer.start();
    const { url, pid } = await server.cloud(1_000, fillAccount);
    await waits(url, pid, () => sleep(3_000));
    const begun = performance.now();
    const busy = await waits(url, pid, () => exported(url));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    agent.destroy();
    const times = busy.map(({ ms }) => ms);
    console.log(
      `the archive takes ${seconds} s; another client waits ${quantile(times, 0.5).toFixed(1)} ms in the middle, ` +
        `${quantile(times, 0.99).toFixed(1)} ms at the 99th percentile, ${Math.max(...times).toFixed(1)} ms at most`,
    );
    const stallMs = Math.max(...busy.map(({ workMs }) => workMs));
    return reportLimit(
      stallMs <= LIMIT_MS,
      `the event loop works ${stallMs.toFixed(0)} ms while one request waits (at most ${LIMIT_MS})`,
    );
  },
};

interface Wait {
  readonly ms: number;
  /** Processor time of the event loop's thread. */
  readonly workMs: number;
}

/** Requests without a query, one after another, during some work. */
async function waits(url: string, pid: number, work: () => Promise<unknown>): Promise<Wait[]> {
  const all: Wait[] = [];
  let isDone = false;
  const ended = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const [start, before] = [performance.now(), eventLoopSeconds(pid)];
    await new Promise((resolve, reject) => {
      get(`${url}/healthz`, { agent }, (answer) => answer.resume().once('end', resolve)).once(
        'error',
        reject,
      );
    });
    all.push({ ms: performance.now() - start, workMs: (eventLoopSeconds(pid) - before) * 1000 });
    await sleep(INTERVAL_MS);
  }
  await ended;
  return all;
}

/** Requests an archive, and waits until it is made. */
async function exported(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${SESSION}` };
  const exports = `${url}/api/v1/user/exports`;
  const answer = await fetch(exports, { method: 'POST', headers });
  if (answer.status !== 201) throw new Error(`the request for an archive is answered ${answer.status}`);
  for (let isReady = false; !isReady; await sleep(200)) {
    const [newest] = (await (await fetch(exports, { headers })).json()) as DataExport[];
    isReady = newest?.ready_at !== null;
  }
}

/** The first user has a session, a long log, and a ticket with files. */
async function fillAccount(client: Client, rows: number): Promise<void> {
  await fill(client, rows);
  await client.query(
    `insert into tokens (kind, hash, user_id, scopes, created_at, last_used_at, authenticated_at, expires_at)
      values ('session', $1, 1, $2, now(), now(), now(), now() + interval '1 day')`,
    [createHash('sha256').update(SESSION).digest(), [...SESSION_SCOPES]],
  );
  await client.query(
    `insert into audit_events (at, action, via, user_id, actor_id, address, details)
      select now(), 'account.profile_changed', 'api', 1, 1, '192.0.2.1',
        jsonb_build_object('fields', array['first_name', 'last_name'], 'number', n) from generate_series(1, $1::int) as n`,
    [ROWS],
  );
  await client.query(
    `with ticket as (
        insert into tickets (subject, state, priority, category, source, requester_id, last_side, waiting_since, message_count,
          created_at, updated_at, last_message_at)
        values ('No sun', 'open', 'normal', 'technical', 'api', 1, 'customer', now(), 1, now(), now(), now()) returning id
      ), message as (
        insert into ticket_messages (ticket_id, author_id, side, internal, body, created_at)
        select id, 1, 'customer', false, 'It is dark.', now() from ticket returning id
      )
      insert into ticket_attachments (message_id, owner_id, name, content_type, size, sha256, bytes, created_at)
      select message.id, 1, 'photo-' || n || '.jpg', 'image/jpeg', $1, 'x', $2::bytea, now()
      from message, generate_series(1, $3::int) as n`,
    [FILE_BYTES, randomBytes(FILE_BYTES), FILES],
  );
}
