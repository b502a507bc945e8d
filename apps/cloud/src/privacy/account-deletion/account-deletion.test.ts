import { type AccountDeletion, type AuditEntry, SESSION_SCOPES, type SiteRole } from '@heliograph/contracts';
import { createLogger } from '@heliograph/kit';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { removeDueAccounts } from './removal.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

/** All that the service logs, however small. */
let logged = '';
const logger = createLogger('cloud', 'trace', { write: (line) => (logged += line) });

let cloud: TestCloud;
let person: TestUser;
let session: string;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  person = await cloud.make.user();
  session = await sessionOf(person);
});

const sessionOf = ({ id }: TestUser) =>
  cloud.make.token(id, {
    kind: 'session',
    scopes: SESSION_SCOPES,
    authenticatedAt: new Date(cloud.clock.now()),
  });
const show = async (token = session) =>
  (await cloud.call<AccountDeletion>('GET /api/v1/user/deletion', { token })).body;
const request = (token = session) => cloud.call<AccountDeletion>('POST /api/v1/user/deletion', { token });
const cancel = (token = session) => cloud.call('DELETE /api/v1/user/deletion', { token });
const remove = () => removeDueAccounts({ db: cloud.db, clock: cloud.clock, logger });
const isThere = async (id: number) =>
  (await cloud.db.selectFrom('users').select('id').where('id', '=', id).execute()).length === 1;

describe('asking for the deletion of an account', () => {
  it('the account is deleted seven days after the request, and not before', async () => {
    expect(await show()).toEqual({ due_at: null, requested_at: null, obstacles: [] });
    const dueAt = new Date(cloud.clock.now() + 7 * DAY_MS).toISOString();
    expect(await request()).toMatchObject({ status: 200, body: { due_at: dueAt } });
    expect((await cloud.mail(person.email)).subject).toBe('Your Heliograph account will be deleted');
    cloud.clock.advance(7 * DAY_MS - 1);
    await remove();
    expect(await isThere(person.id)).toBe(true);
    cloud.clock.advance(1);
    await remove();
    expect(await isThere(person.id)).toBe(false);
  });

  it('the request ends exactly what else acts for the account, and the deletion what was issued since', async () => {
    const { make, db, clock } = cloud;
    await cloud.announce('us-1');
    const other = await make.user();
    const client = await make.application(await make.organization());
    for (const { id } of [person, other]) await make.grant(id, { clientId: client });
    const { id: site } = await make.site({ ownerId: other.id });
    const { id: later } = await make.site({ ownerId: other.id });
    for (const id of [site, later]) await make.member(id, person.id, 'member');
    const second = await sessionOf(person);
    const authorize = async (id: number, token: string) =>
      expect((await cloud.call(`POST /api/v1/sites/${id}/authorize`, { token })).status).toBe(200);
    await authorize(site, session);
    await authorize(site, other.token);
    const isGood = async (token: string) => (await cloud.call('GET /api/v1/user', { token })).status === 200;
    const connections = async ({ id }: TestUser) =>
      (
        await db
          .selectFrom('oauth_grants')
          .select('id')
          .where('user_id', '=', id)
          .where('revoked_at', 'is', null)
          .execute()
      ).length;
    const revoked = async () => {
      const rows = await db
        .selectFrom('site_token_revocations')
        .select(['site_id', 'subject', 'revoked_at'])
        .where('site_id', 'in', [site, later])
        .where('subject', 'like', 'user:%')
        .orderBy('site_id')
        .execute();
      return rows.map((row) => [row.site_id, row.subject, row.revoked_at >= new Date(clock.now())]);
    };
    expect((await request()).status).toBe(200);
    expect(await Promise.all([session, second, person.token, other.token].map(isGood))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([await connections(person), await connections(other)]).toEqual([0, 1]);
    expect(await revoked()).toEqual([[site, `user:${person.id}`, true]]);

    clock.advance(MINUTE_MS);
    await authorize(later, session);
    clock.advance(7 * DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(false);
    expect(await revoked()).toEqual([site, later].map((id) => [id, `user:${person.id}`, true]));
    expect([await isGood(session), await isGood(other.token), await connections(other)]).toEqual([
      false,
      true,
      1,
    ]);
  });

  it('a request and a cancellation are recorded and mailed once each, whatever is repeated', async () => {
    const organizationId = await cloud.make.organization();
    person = await cloud.make.user({ customerOf: organizationId });
    session = await sessionOf(person);
    const first = await request();
    cloud.clock.advance(MINUTE_MS);
    expect((await request()).body).toEqual(first.body);
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(404);
    const { rows: mails } =
      await sql`select payload ->> 'kind' as kind, (payload ->> 'organizationId')::int as organization
      from deliveries where kind = 'mail' and payload ->> 'userId' = ${String(person.id)} order by 1 desc`.execute(
        cloud.db,
      );
    expect(mails).toEqual([
      { kind: 'deletionRequested', organization: organizationId },
      { kind: 'deletionCancelled', organization: organizationId },
    ]);
    await request();
    cloud.clock.advance(7 * DAY_MS);
    await remove();
    const records = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id'])
      .where('user_id', '=', person.id)
      .orderBy('id')
      .execute();
    expect(records).toEqual([
      { action: 'account.deletion_requested', actor_id: person.id },
      { action: 'account.deletion_cancelled', actor_id: person.id },
      { action: 'account.deletion_requested', actor_id: person.id },
      { action: 'account.deleted', actor_id: null },
    ]);
  });

  it('a person who changes their mind keeps the account, its sites and its name', async () => {
    const { id: siteId } = await cloud.make.site();
    await cloud.make.member(siteId, person.id, 'admin');
    const other = await sessionOf(await cloud.make.user());
    const { due_at: dueOfOther } = (await request(other)).body;
    expect((await show()).due_at).toBeNull();
    await request();
    const later = await sessionOf(person);
    expect((await show(later)).due_at).not.toBeNull();
    expect((await cancel(later)).status).toBe(204);
    expect((await cancel(later)).status).toBe(404);
    expect((await show(other)).due_at).toBe(dueOfOther);
    cloud.clock.advance(8 * DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(true);
    const route = `GET /api/v1/sites/${siteId}`;
    expect((await cloud.call(route, { token: await sessionOf(person) })).status).toBe(200);
  });

  it('an account is deleted by a session with a fresh sign-in alone', async () => {
    expect((await request(person.token)).status).toBe(403);
    cloud.clock.advance(16 * MINUTE_MS);
    expect((await request()).status).toBe(403);
    expect((await show()).due_at).toBeNull();
  });

  it('two requests at once are one, and one at the moment of a cancellation leaves the account whole', async () => {
    const answers = await Promise.all([request(), request()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    cloud.clock.advance(7 * DAY_MS);
    const again = await sessionOf(person);
    const [{ status }] = await Promise.all([cancel(again), remove()]);
    expect(await isThere(person.id)).toBe(status === 204);
  });

  it('a request that waits while its account is deleted is refused as one without an account', async () => {
    const { sent } = await cloud.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('users').where('id', '=', person.id).execute();
      const running = request();
      await expect.poll(() => cloud.waitingForLocks(), { interval: 5 }).toBe(1);
      return { sent: running };
    });
    expect((await sent).status).toBe(401);
  });

  it('an account that cancels and requests its deletion again while the run waits for it has a whole week', async () => {
    await request();
    const other = await cloud.make.user();
    await request(await sessionOf(other));
    cloud.clock.advance(7 * DAY_MS);
    const { db, clock } = cloud;
    const due_at = new Date(clock.now() + 7 * DAY_MS);
    const { removed } = await db.transaction().execute(async (tx) => {
      // As both requests do it.
      await tx.selectFrom('users').select('id').where('id', '=', person.id).forNoKeyUpdate().execute();
      await tx.updateTable('account_deletions').set({ due_at }).where('user_id', '=', person.id).execute();
      const running = remove();
      await expect.poll(() => cloud.waitingForLocks(), { interval: 5 }).toBe(1);
      return { removed: running };
    });
    await removed;
    expect([await isThere(person.id), await isThere(other.id)]).toEqual([true, false]);
    expect((await show(await sessionOf(person))).due_at).toBe(due_at.toISOString());
  });
});

describe('what stands in the way', () => {
  it('exactly what an account must give away is named, and refuses the deletion', async () => {
    const { make, db } = cloud;
    await db.updateTable('users').set({ staff: false }).execute();
    const other = await make.user();
    const { id: siteId } = await make.site({ ownerId: person.id, name: 'sunny-roof' });
    const { id: foreignSite } = await make.site({ ownerId: other.id });
    await make.member(foreignSite, person.id, 'admin');
    const employer = async (role: SiteRole, ...owners: number[]) => {
      const id = await make.organization();
      const members = [
        { organization_id: id, user_id: person.id, role },
        ...owners.map((user_id) => ({ organization_id: id, user_id, role: 'owner' as const })),
      ];
      await db.insertInto('organization_members').values(members).execute();
      return id;
    };
    const own = await employer('owner');
    await employer('owner', other.id);
    await employer('admin');
    const ofAdmin = await employer('owner');
    await db
      .insertInto('organization_members')
      .values({ organization_id: ofAdmin, user_id: other.id, role: 'admin' })
      .execute();
    const orderId = await make.order(null, person.id);
    await make.order(null, other.id);
    for (const state of ['completed', 'cancelled'] as const) {
      const id = await make.order(null, person.id);
      await db.updateTable('orders').set({ state }).where('id', '=', id).execute();
    }
    const { obstacles } = await show();
    expect(obstacles).toEqual([
      { kind: 'site', id: siteId, name: 'sunny-roof' },
      { kind: 'organization', id: own, name: expect.any(String) },
      { kind: 'organization', id: ofAdmin, name: expect.any(String) },
      { kind: 'order', id: orderId, name: expect.any(String) },
    ]);
    const { status, body } = await request();
    expect(status).toBe(422);
    expect(body).toEqual({
      error: 'The account cannot be deleted because of site sunny-roof and 3 more: give these away first',
    });
    expect((await show()).due_at).toBeNull();

    const { id: unnamed } = await make.site({ ownerId: other.id, name: null });
    await db.updateTable('orders').set({ state: 'completed' }).where('user_id', '=', other.id).execute();
    await db.deleteFrom('organization_members').where('user_id', '=', other.id).execute();
    await db.updateTable('sites').set({ owner_id: person.id }).where('id', '=', foreignSite).execute();
    expect((await request(await sessionOf(other))).body).toEqual({
      error: `The account cannot be deleted because of site ${unnamed}: give these away first`,
    });
  });

  it('the only operator stays until there is another one', async () => {
    await cloud.db.updateTable('users').set({ staff: false }).execute();
    expect((await show()).obstacles).toEqual([]);
    const operator = await cloud.make.user({ staff: true });
    const token = await sessionOf(operator);
    expect(await request(token)).toMatchObject({
      status: 422,
      body: {
        error: 'The account cannot be deleted because of being the only operator: give these away first',
      },
    });
    await cloud.make.user({ staff: true });
    expect((await request(token)).status).toBe(200);
  });

  it.each([
    ['by a fault', 'P0001', 'a day', DAY_MS],
    ['in an outage', '57014', 'an hour', 60 * MINUTE_MS],
  ])(
    'an account whose deletion fails %s (%s) keeps no other from being deleted, and is tried again %s later',
    async (_how, code, _later, delayMs) => {
      const other = await cloud.make.user();
      await request();
      cloud.clock.advance(MINUTE_MS);
      await request(await sessionOf(other));
      await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''damaged'' using errcode = ''${sql.raw(code)}''; end'`.execute(
        cloud.db,
      );
      await sql`create trigger fail before delete on users for each row when (old.id = ${sql.lit(person.id)}) execute function fail()`.execute(
        cloud.db,
      );
      cloud.clock.advance(7 * DAY_MS);
      await remove();
      expect([await isThere(person.id), await isThere(other.id)]).toEqual([true, false]);
      await sql`drop function fail cascade`.execute(cloud.db);
      cloud.clock.advance(delayMs - 1);
      await remove();
      expect(await isThere(person.id)).toBe(true);
      cloud.clock.advance(1);
      await remove();
      expect(await isThere(person.id)).toBe(false);
    },
  );

  it('an account that was handed a site meanwhile is not deleted until it gives it away', async () => {
    await request();
    const { id: siteId } = await cloud.make.site({ ownerId: person.id });
    cloud.clock.advance(6 * DAY_MS);
    const later = await cloud.make.user();
    const { body: pending } = await request(await sessionOf(later));
    cloud.clock.advance(DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(true);
    expect(logged.split('\n').filter((line) => line.includes('could not be deleted yet'))).toEqual([
      expect.stringContaining(`"account":${person.id},"obstacle":"site"`),
    ]);
    // It is tried again in a day; others keep their time.
    expect(await show(await sessionOf(person))).toMatchObject({
      due_at: new Date(cloud.clock.now() + DAY_MS).toISOString(),
    });
    expect((await show(await sessionOf(later))).due_at).toBe(pending.due_at);
    const other = await cloud.make.user();
    await cloud.db.updateTable('sites').set({ owner_id: other.id }).where('id', '=', siteId).execute();
    cloud.clock.advance(DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(false);
  });
});

/** Texts that only one person has. */
const NAME = 'Quillonius';
const PERSONAL = [
  NAME,
  'Zephyrine',
  'quillonius@example.org',
  '+49 555 7770001',
  'Wunderweg 17',
  '203.0.113.77',
];

/** Every row of every table as text, files included. */
async function everything(): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    cloud.db,
  );
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(rows) as row from ${sql.table(`${schema}.${name}`)} as rows`.execute(cloud.db);
    for (const { row } of rows) texts.push(`${schema}.${name} ${textOf(row)}`);
  }
  return texts;
}

async function archivesMailedTo(recipient: string): Promise<number> {
  const mails = await cloud.db
    .selectFrom('mailbox_messages')
    .select('id')
    .where('recipient', '=', recipient)
    .where('subject', 'like', '%archive%ready')
    .execute();
  return mails.length;
}

function textOf(row: Record<string, unknown>): string {
  const bytes = Object.values(row).flatMap((value) =>
    typeof value === 'string' && value.startsWith('\\x') ? [Buffer.from(value.slice(2), 'hex')] : [],
  );
  return JSON.stringify(row) + bytes.flatMap(filesIn).join(' ');
}

/** The bytes as text; of an archive, whose small ones are in one piece, the files in it. */
function filesIn(bytes: Buffer): string[] {
  if (!bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return [bytes.toString('latin1')];
  return Object.values(unzipSync(bytes)).map((file) => strFromU8(file));
}

const hasArchive = (row: string) => row.startsWith('public.data_export_chunks');

describe('an account that is deleted', () => {
  it('exactly what is about the person goes: marks of the same rows about others stay', async () => {
    const { make, db, clock } = cloud;
    const other = await make.user();
    const at = new Date(clock.now());
    const organizationId = await make.organization();
    const { id: shared } = await make.site({ ownerId: other.id });
    const { id: logged } = await make.site({ ownerId: other.id });
    const { id: mentioned } = await make.site({ ownerId: other.id });
    const { id: apart } = await make.site({ ownerId: other.id });
    await make.member(shared, person.id, 'member');

    for (const [userId, note] of [
      [person.id, 'gone:order'],
      [other.id, 'kept:order'],
    ] as const) {
      const id = await make.order(organizationId, userId);
      const address = JSON.stringify({ name: note, country: 'DE', region: 'BE' });
      await db
        .updateTable('orders')
        .set({ note, state: 'cancelled', billing_address: address, shipping_address: address })
        .where('id', '=', id)
        .execute();
    }

    const nameFile = (id: number, name: string, upload?: object) =>
      db
        .updateTable('ticket_attachments')
        .set({ name, ...upload })
        .where('id', '=', id)
        .execute();
    const upload = { message_id: null, expires_at: at };
    const ofOther = await make.ticket(other.id, { subject: 'kept:ticket' });
    await make.ticket(person.id, { subject: 'gone:ticket' });
    await nameFile(await make.attachment(ofOther, person.id), 'kept:file in the ticket of another');
    await nameFile(await make.attachment(ofOther, person.id), 'gone:upload', upload);
    await nameFile(await make.attachment(ofOther, other.id), 'kept:upload of another', upload);

    const sessions: number[] = [];
    for (const [requestedBy, reason, fields] of [
      [person.id, 'gone:reason of an owner', { request_expires_at: null }],
      [person.id, 'kept:reason of support', {}],
      [other.id, 'kept:reason of another', { request_expires_at: null }],
    ] as const) {
      const id = await make.recoverySession(apart, null, { requestedBy });
      await db
        .updateTable('recovery_sessions')
        .set({ reason, ...fields })
        .where('id', '=', id)
        .execute();
      sessions.push(id);
    }
    const [letIn = 0, requested = 0, ofAnother = 0] = sessions;
    const entry = (fields: object) =>
      db
        .insertInto('audit_events')
        .values({ at, action: 'site.renamed', via: 'api', ...fields })
        .execute();
    const entryOf = (
      recovery_session: number,
      actor_id: number,
      action: string,
      reason: string,
      site_id = apart,
    ) =>
      entry({
        site_id,
        actor_id,
        action: `recovery_session.${action}`,
        details: { recovery_session, reason },
      });
    await entryOf(letIn, person.id, 'opened', 'gone:opened');
    await entryOf(letIn, other.id, 'extended', 'gone:extended');
    await entryOf(letIn, other.id, 'extended', 'kept:at another site', logged);
    await entryOf(requested, person.id, 'requested', 'kept:requested');
    await entryOf(ofAnother, other.id, 'opened', 'kept:opened by another');
    const NAMING = {
      first_name: 'gone:1',
      last_name: 'gone:2',
      email: 'gone:3',
      phone_number: 'gone:4',
      name: 'gone:5',
      description: 'gone:6',
    };
    await entry({ user_id: person.id, details: { ...NAMING, role: 'kept:role' } });
    await entry({ user_id: other.id, actor_id: person.id, details: { name: 'kept:name of another' } });
    await entry({ user_id: person.id, address: '192.0.2.1' });
    await entry({ actor_id: person.id, address: '192.0.2.2' });
    await entry({ actor_id: other.id, user_id: other.id, address: '192.0.2.3' });
    await entry({ site_id: logged, actor_id: person.id });
    await entry({ site_id: mentioned, user_id: person.id });

    for (const [userId, siteId, text] of [
      [person.id, null, 'gone:archive'],
      [other.id, null, 'kept:archive of another'],
      [other.id, shared, 'gone:archive of a site with the person'],
      [other.id, logged, 'gone:archive of a log by the person'],
      [other.id, mentioned, 'gone:archive of a log about the person'],
      [other.id, (await make.site()).id, 'kept:archive of another site'],
    ] as const) {
      const { id } = await db
        .insertInto('data_exports')
        .values({
          user_id: userId,
          site_id: siteId,
          requested_at: at,
          size: 1,
          ready_at: at,
          expires_at: new Date(clock.now() + 90 * DAY_MS),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('data_export_chunks')
        .values({ export_id: id, position: 0, bytes: Buffer.from(text) })
        .execute();
    }

    const mailed = { sent_at: at, html: '' };
    await db
      .insertInto('mailbox_messages')
      .values([
        { ...mailed, recipient: person.email.toUpperCase(), subject: 'gone:mail', text: '' },
        {
          ...mailed,
          recipient: other.email,
          subject: 'gone:mail about the person',
          text: `From ${person.email.toUpperCase()}.`,
        },
        { ...mailed, recipient: other.email, subject: 'kept:mail', text: '' },
      ])
      .execute();
    for (const data of [
      { userId: person.id, mark: 'gone:job' },
      { email: person.email.toUpperCase(), mark: 'gone:job for the address' },
      { email: ` ${person.email}.`, mark: 'gone:job for another spelling of the address' },
      { userId: other.id, mark: 'kept:job of another' },
      { email: other.email, mark: 'kept:job for another address' },
    ])
      await sql`insert into deliveries (kind, tenant, payload, outcome, created_at, ended_at)
        values ('mail', 0, ${JSON.stringify(data)}, 'sent', ${at}, ${at})`.execute(db);

    for (const [acknowledged_by_id, acknowledged_by] of [
      [person.id, 'gone:acknowledged'],
      [other.id, 'kept:acknowledged by another'],
    ] as const)
      await make.alert(shared, { acknowledged_by_id, acknowledged_by, acknowledged_at: at });

    // Pages and triggers derive words from some of them, which follow their columns.
    const marks = async (which: 'gone' | 'kept') => {
      const found = (await everything())
        .join('\n')
        .matchAll(/(?:(?:gone|kept):[a-z0-9 ]+|192\.0\.2\.\d)(?=["'\n]|$)/g);
      return [...new Set([...found].map(([mark]) => mark))]
        .filter((mark) => mark.startsWith('192') || mark.startsWith(which))
        .toSorted();
    };
    const before = [await marks('gone'), await marks('kept')];
    expect(before.map((each) => each.length)).toEqual([25, 20]);
    expect((await request()).status).toBe(200);
    clock.advance(7 * DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(false);
    expect(await marks('gone')).toEqual(['192.0.2.3']);
    expect(await marks('kept')).toEqual(
      before[1]?.filter((mark) => !['192.0.2.1', '192.0.2.2'].includes(mark)),
    );
    const billed = await db
      .selectFrom('orders')
      .select(['billing_address', 'shipping_address'])
      .where('email', '=', '')
      .execute();
    expect(billed).toContainEqual({
      billing_address: expect.objectContaining({ name: '', line1: '', country: 'DE', region: 'BE' }),
      shipping_address: expect.objectContaining({ name: '', line1: '', country: 'DE', region: 'BE' }),
    });
  });

  it('nothing names the person: not rows, files, archives, support sessions, mails that wait, records, or the log of the service', async () => {
    const organizationId = await cloud.make.organization();
    const boss = await cloud.make.employee(organizationId, 'owner');
    const rich = await cloud.make.user({
      email: 'quillonius@example.org',
      firstName: 'Zephyrine',
      lastName: NAME,
      phoneNumber: '+49 555 7770001',
      customerOf: organizationId,
    });
    const from = '203.0.113.77';
    const own = await sessionOf(rich);
    const act = (route: string, body?: unknown, token = own) =>
      cloud.call<{ id: number }>(route, { token, body, from });
    await act('PATCH /api/v1/user/profile', { first_name: 'Zephyrine', last_name: `${NAME} II` });
    await act('POST /api/v1/user/tokens', { name: `Token of ${NAME}`, scopes: ['sites:read_all'] });
    const { id: siteId } = await cloud.make.site({ organizationId });
    await cloud.make.member(siteId, rich.id, 'admin');
    await cloud.announce('us-1');
    await act(`POST /api/v1/sites/${siteId}/authorize`);
    await cloud.make.grant(rich.id, { clientId: await cloud.make.application(organizationId) });
    await cloud.make.teamInvitation(organizationId, rich.id);
    await cloud.make.oneTimeToken('reset', { userId: rich.id });
    await cloud.make.product(null, { sku: 'advice', kind: 'service' });
    const address = { name: NAME, line1: 'Wunderweg 17', city: 'Berlin', country: 'de' };
    const order = await act('POST /api/v1/user/orders', {
      items: [{ sku: 'advice' }],
      currency: 'USD',
      billing_address: address,
      shipping_address: address,
      note: `For ${NAME}`,
    });
    const ticket = await act('POST /api/v1/user/tickets', {
      subject: `Roof of ${NAME}`,
      body: 'Wunderweg 17',
    });
    await cloud.make.attachment(ticket.body.id, rich.id);
    const raw = `a file of ${NAME}`;
    const headers = { 'content-type': 'text/plain' };
    await cloud.call('POST /api/v1/uploads?name=quillonius.txt', { token: own, raw, headers, from });
    const otherTicket = await cloud.make.ticket(boss.id, { organizationId: null });
    await cloud.db.updateTable('users').set({ staff: true }).where('id', '=', rich.id).execute();
    const note = { body: 'Noted.', internal: true };
    await act(`POST /api/v1/tickets/${otherTicket}/replies`, note, await cloud.make.token(rich.id, {}));
    await cloud.make.recoverySession(siteId, null, { requestedBy: rich.id, isActive: true });
    const support = await cloud.make.token(rich.id, {});
    expect(
      (await act(`POST /api/v1/sites/${siteId}/authorize?roles=recovery`, undefined, support)).status,
    ).toBe(200);
    await cloud.db.updateTable('users').set({ staff: false }).where('id', '=', rich.id).execute();
    const home = await cloud.make.site({ ownerId: rich.id, organizationId });
    const reason = `${NAME} sees no sun.`;
    const letIn = await act(`POST /api/v1/sites/${home.id}/recovery_sessions`, { reason });
    expect(letIn.status).toBe(201);
    await cloud.call(`POST /api/v1/sites/${home.id}/authorize?roles=recovery`, { token: boss.token });
    await act(`POST /api/v1/sites/${home.id}/recovery_sessions/${letIn.body.id}/extend`, { hours: 1 });
    for (const body of [{}, { site_id: home.id }]) await act('POST /api/v1/user/exports', body);
    await cloud.db.updateTable('sites').set({ owner_id: boss.id }).where('id', '=', home.id).execute();
    await cloud.call(`POST /api/v1/user/orders/${order.body.id}/cancel`, { token: own });
    await act('POST /api/v1/sign_in', { email: rich.email, password: 'wrong', organization_id: 'none' });
    await sql`insert into email_changes values (${rich.id}, 'quillonius@example.org', now() + interval '1 day')`.execute(
      cloud.db,
    );
    // Nearly everything above is to be found before.
    const before = (await everything()).join('\n');
    for (const text of PERSONAL) expect(before).toContain(text);

    expect((await request(await sessionOf(rich))).status).toBe(200);
    // An archive of another person, who has both sites now.
    await cloud.make.member(siteId, boss.id, 'admin');
    for (const site_id of [siteId, home.id])
      await cloud.call('POST /api/v1/user/exports', { token: await sessionOf(boss), body: { site_id } });
    await expect
      .poll(async () => (await everything()).filter(hasArchive).join('\n'))
      .toContain('quillonius@example.org');
    // A mail that is on its way while the account ends arrives all the same.
    await expect.poll(() => archivesMailedTo(rich.email)).toBe(2);
    cloud.clock.advance(7 * DAY_MS);
    await remove();
    expect(await isThere(rich.id)).toBe(false);
    const texts = await everything();
    for (const text of PERSONAL) {
      const found = texts.filter((each) => each.toLowerCase().includes(text.toLowerCase()));
      expect(found, text).toEqual([]);
    }
    // The address of a failed sign-in stands in the log on purpose, beside the number of the account.
    const lines = logged.toLowerCase().split('\n');
    const naming = lines.filter((line) => PERSONAL.some((text) => line.includes(text.toLowerCase())));
    expect(naming).toEqual([expect.stringContaining('sign-ins failed')]);
    expect(naming.join()).not.toContain('quillonius');

    const orders = await cloud.db
      .selectFrom('orders')
      .select(['total', 'user_id', sql<string>`billing_address ->> 'country'`.as('country')])
      .where('id', '=', order.body.id)
      .execute();
    expect(orders).toEqual([{ total: expect.any(String), user_id: null, country: 'DE' }]);
    const { body: log } = await cloud.call<AuditEntry[]>(`GET /api/v1/sites/${siteId}/audit`, {
      token: (await cloud.make.user({ staff: true })).token,
    });
    expect(log.map(({ actor }) => actor?.name)).toContain(`Deleted account ${rich.id}`);
  });
});
