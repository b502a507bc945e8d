import { type AccountDeletion, type AuditEntry, SESSION_SCOPES } from '@heliograph/contracts';
import { createLogger, silentLogger } from '@heliograph/kit';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { AccountRemoval } from './removal.ts';

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
const remove = () => new AccountRemoval(cloud.db, cloud.clock, silentLogger).run();
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

  it('the request ends everything else that acts for the account, and a repetition changes nothing', async () => {
    const client = await cloud.make.application(await cloud.make.organization());
    await cloud.make.grant(person.id, { clientId: client });
    const { id: siteId } = await cloud.make.site();
    await cloud.make.member(siteId, person.id, 'member');
    const first = await request();
    expect((await cloud.call('GET /api/v1/user', { token: person.token })).status).toBe(401);
    expect((await cloud.call<[]>('GET /api/v1/user/connections', { token: session })).body).toEqual([]);
    cloud.clock.advance(MINUTE_MS);
    expect((await request()).body).toEqual(first.body);
    expect(await cloud.mails(person.email)).toHaveLength(1);
  });

  it('a person who changes their mind keeps the account, its sites and its name', async () => {
    const { id: siteId } = await cloud.make.site();
    await cloud.make.member(siteId, person.id, 'admin');
    await request();
    const later = await sessionOf(person);
    expect((await show(later)).due_at).not.toBeNull();
    expect((await cancel(later)).status).toBe(204);
    expect((await cancel(later)).status).toBe(404);
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
});

describe('what stands in the way', () => {
  it('sites, organizations, open orders and the last operator are named, and refuse the deletion', async () => {
    const { id: siteId } = await cloud.make.site({ ownerId: person.id, name: 'sunny-roof' });
    const organizationId = await cloud.make.organization(person.id);
    await sql`update organization_members set role = 'owner' where user_id = ${person.id}`.execute(cloud.db);
    const orderId = await cloud.make.order(null, person.id);
    const { obstacles } = await show();
    expect(obstacles).toEqual(
      expect.arrayContaining([
        { kind: 'site', id: siteId, name: 'sunny-roof' },
        { kind: 'organization', id: organizationId, name: expect.any(String) },
        { kind: 'order', id: orderId, name: expect.any(String) },
      ]),
    );
    expect(obstacles).toHaveLength(3);
    const { status, body } = await request();
    expect(status).toBe(422);
    expect(body).toEqual({ error: expect.stringContaining('give these away first') });
    expect((await show()).due_at).toBeNull();
  });

  it('the only operator stays until there is another one', async () => {
    await cloud.db.updateTable('users').set({ staff: false }).execute();
    const operator = await cloud.make.user({ staff: true });
    const token = await sessionOf(operator);
    expect((await request(token)).status).toBe(422);
    await cloud.make.user({ staff: true });
    expect((await request(token)).status).toBe(200);
  });

  it('an account that was handed a site meanwhile is not deleted until it gives it away', async () => {
    await request();
    const { id: siteId } = await cloud.make.site({ ownerId: person.id });
    cloud.clock.advance(7 * DAY_MS);
    await remove();
    expect(await isThere(person.id)).toBe(true);
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
