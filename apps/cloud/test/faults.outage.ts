import { once } from 'node:events';
import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@heliograph/dev/postgres';
import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CloudProcess } from './cloud-process.ts';
import { PASSWORD, type TestUser } from './factory.ts';
import { Relay } from './relay.ts';
import { type Answer, startTestCloud, type TestCloud } from './test-cloud.ts';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 60_000;

/** One request of each kind: a read, a write, a password, a limit. */
function requestsOf(cloud: TestCloud, user: TestUser, siteId: number): Promise<Answer>[] {
  const { token, email } = user;
  return [
    cloud.call('GET /api/v1/sites', { token }),
    cloud.call('GET /api/v1/user', { token }),
    cloud.call(`POST /api/v1/sites/${siteId}/authorize`, { token }),
    cloud.call('PATCH /api/v1/user', { token, body: { locale: 'fr' } }),
    cloud.call('POST /api/v1/sign_in', { body: { email, password: PASSWORD, organization_id: 'none' } }),
    cloud.call('POST /api/v1/sites/register', { token, body: { uid: 'nobody' } }),
    cloud.call('POST /api/v1/password/reset', { body: { email, verification_token: '' } }),
  ];
}

function expectServedOrRetry(answers: readonly Answer[]): void {
  for (const { status, headers, body } of answers) {
    expect([200, 404, 503]).toContain(status);
    if (status !== 503) continue;
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toEqual({ error: expect.any(String) });
  }
}

async function untilServing(cloud: TestCloud, user: TestUser, siteId: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const answers = await Promise.all(requestsOf(cloud, user, siteId));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 200]);
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
}

describe('cloud whose PostgreSQL is killed under load', () => {
  let postgres: PostgresServer;
  let cloud: CloudProcess;
  beforeAll(async () => {
    const dataFolder = await realpath(await mkdtemp(join(tmpdir(), 'heliograph-test-')));
    await chmod(dataFolder, 0o711);
    postgres = new PostgresServer({ dataFolder, password: 'test', durable: false, throwAway: true });
    await postgres.start();
    cloud = await CloudProcess.start(postgres.url());
  });
  afterAll(async () => {
    await cloud?.[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  it('the cloud answers 503 until PostgreSQL is back, then serves and mails again', async () => {
    await cloud.announce('us-1');
    const user = await cloud.make.user();
    const { id } = await cloud.make.site({ ownerId: user.id });
    await untilServing(cloud, user, id);
    // This server acknowledges before it writes, and the kill would take the site along.
    await sql`checkpoint`.execute(cloud.db);
    let loading = true;
    const load = async (): Promise<void> => {
      while (loading) expectServedOrRetry(await Promise.all(requestsOf(cloud, user, id)));
    };
    const loads = [load(), load()];
    const killed = postgres.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => postgres.pid !== undefined && postgres.pid !== killed, { interval: 5 })
      .toBe(true);
    await expect.poll(async () => (await fetch(`${cloud.url}/readyz`)).status, { interval: 20 }).toBe(200);
    await untilServing(cloud, user, id);
    loading = false;
    await Promise.all(loads);
    expect(cloud.process.exitCode).toBeNull();

    const newcomer = { email: 'newcomer@example.org', role: 'member', first_name: 'New', last_name: 'Comer' };
    await cloud.call(`POST /api/v1/sites/${id}/users`, { token: user.token, body: newcomer });
    expect((await cloud.mail(newcomer.email)).link).toContain('#password/set/');
  });
});

describe('cloud whose PostgreSQL is silent', () => {
  let database: TestDatabase;
  let relay: Relay;
  let cloud: TestCloud;
  beforeAll(async () => {
    database = await createTestDatabase();
    relay = await Relay.start(database.url);
    cloud = await startTestCloud({ databaseUrl: relay.url, botCheck: false });
  });
  afterAll(async () => {
    relay?.thaw();
    await cloud?.[Symbol.asyncDispose]();
    await relay?.[Symbol.asyncDispose]();
    await database?.drop();
  });

  it('requests are answered with 503 while PostgreSQL is silent, and served again afterwards', async () => {
    await cloud.announce('us-1');
    const user = await cloud.make.user();
    const { id } = await cloud.make.site({ ownerId: user.id });
    await untilServing(cloud, user, id);
    relay.freeze();
    // Answers arrive while the relay is frozen, which alone shows that the cloud's own deadlines end the requests.
    const answers = await Promise.all(requestsOf(cloud, user, id));
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(503));
    expectServedOrRetry(answers);
    expect(await cloud.call('GET /readyz')).toMatchObject({
      status: 503,
      body: { status: 'not_ready', error: 'The check takes too long' },
    });
    expect(await (await fetch(`${cloud.url}/metrics`)).text()).toContain('heliograph_cloud_database_up 0');
    relay.thaw();
    await untilServing(cloud, user, id);
  });
});

describe('cloud that receives SIGTERM', () => {
  it('the cloud answers the requests in flight, and exits with 0', async () => {
    await using database = await createTestDatabase();
    await using cloud = await CloudProcess.start(database.url);
    const { email } = await cloud.make.user();
    const body = { email, password: PASSWORD, organization_id: 'none' };
    const { inFlight, exited } = await cloud.db.transaction().execute(async (tx) => {
      // The lock makes all sign-ins wait, so that every request has reached the cloud before the signal.
      await sql`lock table users in access exclusive mode`.execute(tx);
      const calls = Array.from({ length: 8 }, () => cloud.call('POST /api/v1/sign_in', { body }));
      await expect.poll(() => cloud.waitingForLocks()).toBe(calls.length);
      const exit = once(cloud.process, 'exit');
      cloud.process.kill('SIGTERM');
      return { inFlight: calls, exited: exit };
    });
    const answers = await Promise.all(inFlight);
    expect(answers.map(({ status }) => status)).toEqual(Array(inFlight.length).fill(200));
    expect(await exited).toEqual([0, null]);
  });
});

describe('cloud that is killed while it writes', () => {
  it('each change is complete with its record, or undone', async () => {
    await using database = await createTestDatabase();
    await using first = await CloudProcess.start(database.url);
    const owner = await first.make.user();
    const { id } = await first.make.site({ ownerId: owner.id });
    const acknowledged: string[] = [];
    let count = 0;
    const inviteUntilKilled = async (): Promise<void> => {
      for (;;) {
        const email = `guest-${++count}@example.org`;
        const body = { email, role: 'member', first_name: 'Guest', last_name: String(count) };
        const call = first.call(`POST /api/v1/sites/${id}/users`, { token: owner.token, body });
        const answer = await call.catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status === 200) acknowledged.push(email);
      }
    };
    const clients = Array.from({ length: 10 }, inviteUntilKilled);
    await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(3);
    first.process.kill('SIGKILL');
    await Promise.all(clients);

    await using second = await CloudProcess.start(database.url);
    const members = await second.db
      .selectFrom('site_members')
      .innerJoin('users', 'users.id', 'site_members.user_id')
      .select(['users.id', 'users.email'])
      .execute();
    const accounts = await second.db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', 'guest%')
      .execute();
    const records = await second.db
      .selectFrom('audit_events')
      .select('user_id')
      .where('action', '=', 'site_member.added')
      .execute();
    const emails = members.map(({ email }) => email).toSorted();
    expect(emails).toEqual(expect.arrayContaining(acknowledged));
    expect(accounts.map(({ email }) => email).toSorted()).toEqual(emails);
    expect(records.map((record) => record.user_id).toSorted()).toEqual(
      members.map((member) => member.id).toSorted(),
    );
    // Each mail was sent, or waits: one that was being sent is taken up when its time is over.
    const { rows: waiting } = await sql<{ email: string }>`
      select users.email from deliveries join users on users.id = (payload ->> 'userId')::int
      where kind = 'mail' and due_at is not null`.execute(second.db);
    const sent = await second.db.selectFrom('mailbox_messages').select('recipient').execute();
    const mailed = [...waiting.map(({ email }) => email), ...sent.map(({ recipient }) => recipient)];
    expect([...new Set(mailed)].toSorted()).toEqual(emails);
  });
});
