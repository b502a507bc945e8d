import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import { FROM, SOON, startTestMail, type TestMail } from '../../../test/delivery/mail/test-mail.ts';
import { OLDEST_WORKING_RELEASE } from '../../db/migrate.ts';
import { forgetFormerMails, LAST_RELEASE_WITH_JOBS, takeFormerMails } from './former-queue.ts';

vi.setConfig({ testTimeout: 120_000 });

const QUEUE = join(import.meta.dirname, '../../../test/delivery/mail/fixtures/former-queue.sql');

let mails: TestMail;
beforeEach(async () => {
  mails = await startTestMail();
});
afterEach(() => mails?.[Symbol.asyncDispose]());

const makeQueue = async () => sql.raw(await readFile(QUEUE, 'utf8')).execute(mails.db);
const now = () => new Date(mails.clock.now());

/** As the last release queues one. @param changes of the row */
async function add(email: string, changes = sql`name = name`): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`insert into jobs.job (name, data, priority, expire_seconds, retry_limit)
    values ('mail', ${JSON.stringify({ kind: 'reset', email, organizationId: null })}, 1, 60, 307)
    returning id`.execute(mails.db);
  await sql`update jobs.job set ${changes} where id = ${rows[0]?.id}`.execute(mails.db);
  return rows[0]?.id ?? '';
}

/** As the last release claims mails, by the statement of its library. */
const claimAsFormer = () =>
  sql<{ id: string }>`with next as (
      select name, id from jobs.job where name = 'mail' and state < 'active' and start_after < now()
      order by priority desc, created_on, id limit 1 for update skip locked
    ) update jobs.job set state = 'active', started_on = now(), retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where job.name = next.name and job.id = next.id returning job.id`.execute(mails.db);

const left = async () =>
  (await sql<{ id: string }>`select id from jobs.job`.execute(mails.db)).rows.map(({ id }) => id);

it('the queue of release 0.1.0 is read as long as its processes may run beside those of this release', () => {
  // Once the last release is another one: delete former-queue.ts, and drop the schema `jobs` in a migration.
  expect(OLDEST_WORKING_RELEASE).toBe(LAST_RELEASE_WITH_JOBS);
});

it('a new database has no former queue, and works without it', async () => {
  const { rows } = await sql`select from pg_namespace where nspname = 'jobs'`.execute(mails.db);
  expect(rows).toHaveLength(0);
  await forgetFormerMails(mails.db, 1, () => true);
});

describe('takeFormerMails', () => {
  it.each([
    ['queued', sql`state = 'created'`, { attempts: 0, doubtful: false, failing: false, waits: false }],
    [
      'that waits for another try',
      sql`state = 'retry', retry_count = 3, start_after = now() + interval '5 minutes', output = '{"value": {"message": "451"}}'`,
      { attempts: 3, doubtful: false, failing: true, waits: true },
    ],
    [
      'whose process fell silent before',
      sql`state = 'retry', retry_count = 1, output = '{"value": {"message": "job timed out"}}'`,
      { attempts: 1, doubtful: true, failing: true, waits: false },
    ],
    [
      'whose process died',
      sql`state = 'active', started_on = now() - interval '61 seconds'`,
      { attempts: 0, doubtful: true, failing: false, waits: false },
    ],
  ])('a mail %s is moved', async (_what, changes, expected) => {
    await makeQueue();
    const id = await add('ada@example.org', changes);
    expect(await takeFormerMails(mails.db, now())).toBe(1);
    expect(await left()).toEqual([]);
    const rows = await mails.db.selectFrom('deliveries').selectAll().execute();
    expect(rows).toMatchObject([
      {
        ...{ kind: 'mail', lane: 0, tenant: 0, message_id: id, outcome: null, lease_until: null },
        ...{ attempts: expected.attempts, doubtful: expected.doubtful },
        payload: { kind: 'reset', email: 'ada@example.org', organizationId: null },
      },
    ]);
    const [row] = rows;
    expect(row?.failing_since !== null).toBe(expected.failing);
    expect((row?.due_at?.getTime() ?? 0) > mails.clock.now()).toBe(expected.waits);
    expect(await takeFormerMails(mails.db, now())).toBe(0);
  });

  it.each([
    ['that a process sends', sql`state = 'active', started_on = now()`, 1],
    ['that was sent', sql`state = 'completed', completed_on = now()`, 0],
    ['that was refused', sql`state = 'failed', completed_on = now()`, 0],
    ['that was cancelled', sql`state = 'cancelled', completed_on = now()`, 0],
  ])('a mail %s is not moved', async (_what, changes, kept) => {
    await makeQueue();
    await add('ada@example.org', changes);
    expect(await takeFormerMails(mails.db, now())).toBe(0);
    expect(await left()).toHaveLength(kept);
    expect(await mails.db.selectFrom('deliveries').select('id').execute()).toEqual([]);
  });

  it('a mail that the last release claims at the same moment stays with it', async () => {
    await makeQueue();
    const claimed = await add('first@example.org');
    const free = await add('second@example.org', sql`created_on = now() + interval '1 second'`);
    await mails.db.transaction().execute(async (tx) => {
      await sql`select from jobs.job where id = ${claimed} for update`.execute(tx);
      expect(await takeFormerMails(mails.db, now())).toBe(1);
    });
    expect(await left()).toEqual([claimed]);
    const moved = await mails.db.selectFrom('deliveries').select('message_id').execute();
    expect(moved).toEqual([{ message_id: free }]);
  });

  it('a mail keeps its lane and its organization', async () => {
    await makeQueue();
    await add(
      'ada@example.org',
      sql`priority = 0, data = '{"kind": "alerts", "userId": 7, "organizationId": 5}'`,
    );
    await add('ada@example.org', sql`data = '{"kind": "confirmation", "userId": 7, "organizationId": null}'`);
    await takeFormerMails(mails.db, now());
    const rows = await mails.db.selectFrom('deliveries').select(['lane', 'tenant']).orderBy('lane').execute();
    expect(rows).toEqual([
      { lane: 0, tenant: -7 },
      { lane: 1, tenant: 5 },
    ]);
  });
});

it('mails of processes of both releases are sent once each, under the names that the former ones had', async () => {
  await using server = await new TestMailServer({}).start();
  await makeQueue();
  const accounts = await Promise.all(Array.from({ length: 20 }, () => mails.account()));
  const ids: string[] = [];
  for (const { email } of accounts.slice(0, 10)) ids.push(await add(email));
  const former = await claimAsFormer();
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
  // The last release goes on to queue mails.
  for (const { email } of accounts.slice(10)) ids.push(await add(email));
  mails.clock.advance(2_000);
  await expect.poll(() => server.received.length, SOON).toBe(19);
  await sql`update jobs.job set state = 'completed', completed_on = now() where state = 'active'`.execute(
    mails.db,
  );
  mails.clock.advance(2_000);
  await expect.poll(left, SOON).toEqual([]);
  await service.stopSending();
  expect(server.received).toHaveLength(19);
  const sent = server.received.map(({ mail }) => mail.messageId).toSorted();
  const expected = ids.filter((id) => id !== former.rows[0]?.id).map((id) => `<${id}@sender.example>`);
  expect(sent).toEqual(expected.toSorted());
});

it('the mails of a deleted account leave the former queue, and no others', async () => {
  await makeQueue();
  await add('Gone@example.org', sql`state = 'active', started_on = now()`);
  await add('x', sql`data = '{"kind": "confirmation", "userId": 7, "organizationId": null}'`);
  const kept = [
    await add('kept@example.org'),
    await add('x', sql`data = '{"kind": "confirmation", "userId": 77, "organizationId": null}'`),
  ];
  await forgetFormerMails(mails.db, 7, (address) => address.toLowerCase() === 'gone@example.org');
  expect((await left()).toSorted()).toEqual(kept.toSorted());
});
