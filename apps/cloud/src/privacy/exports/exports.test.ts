import { type DataExport, type RecoveryEventKind, SESSION_SCOPES } from '@heliograph/contracts';
import { csvOf } from '@heliograph/contracts/csv';
import { silentLogger } from '@heliograph/kit';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';
import { addParticipant } from '../../support/recovery-sessions/participation.ts';
import { addEvents } from '../../support/recovery-sessions/rows.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const { logger, lines } = tracingLogger();

let cloud: TestCloud;
let person: TestUser;
let session: string;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  person = await cloud.make.user({ firstName: 'Ada', phoneNumber: '+1 555 0100' });
  session = await sessionOf(person);
});

const sessionOf = ({ id }: TestUser) =>
  cloud.make.token(id, {
    kind: 'session',
    scopes: SESSION_SCOPES,
    authenticatedAt: new Date(cloud.clock.now()),
  });
const request = (body?: object, token = session) =>
  cloud.call<DataExport>('POST /api/v1/user/exports', { token, body });
const list = async (token = session) =>
  (await cloud.call<DataExport[]>('GET /api/v1/user/exports', { token })).body;
const fileOf = (id: number, token = session) =>
  fetch(`${cloud.url}/api/v1/user/exports/${id}/file`, { headers: { authorization: `Bearer ${token}` } });

/** A loaded machine takes as long as it needs. */
const PATIENCE = { timeout: 60_000, interval: 50 };

/** The files of an archive that was requested, once it is made. */
async function archiveBytes(id: number, token = session): Promise<Map<string, Uint8Array>> {
  await vi.waitFor(async () => {
    expect((await list(token)).find((each) => each.id === id)?.ready_at).not.toBeNull();
  }, PATIENCE);
  const response = await fileOf(id, token);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
  return new Map(Object.entries(unzipSync(bytes)));
}

/** The same as texts. */
async function archiveOf(id: number, token = session): Promise<Map<string, string>> {
  return new Map([...(await archiveBytes(id, token))].map(([name, file]) => [name, strFromU8(file)]));
}

/** A support session at a site, in which the one who asked for it did something. */
async function sessionAt(siteId: number, helper: TestUser, kind: RecoveryEventKind): Promise<number> {
  const id = await cloud.make.recoverySession(siteId, null, { requestedBy: helper.id, isActive: true });
  await join(id, helper, kind);
  return id;
}

async function join(id: number, { id: userId }: TestUser, kind: RecoveryEventKind): Promise<void> {
  const at = new Date(cloud.clock.now());
  await addParticipant(cloud.db, id, userId, at);
  const event = { userId, kind, subject: null, succeeded: true, at, reportId: null };
  await addEvents(cloud.db, id, [event]);
}

const tableOf = (files: Map<string, string>, name: string): Record<string, unknown>[] =>
  JSON.parse(files.get(`${name}.json`) ?? '[]');

describe('the archive of an account', () => {
  it('an archive has what the service knows about its person, and a mail names the page of it', async () => {
    const { id: siteId } = await cloud.make.site({ ownerId: person.id, name: 'sunny' });
    const orderId = await cloud.make.order(null, person.id);
    const ticketId = await cloud.make.ticket(person.id, { organizationId: null });
    await cloud.make.attachment(ticketId, person.id);
    const { status, body } = await request();
    expect(status).toBe(201);
    expect(body).toMatchObject({ site: null, size: null, ready_at: null });
    const files = await archiveOf(body.id);
    expect(tableOf(files, 'account')).toMatchObject([
      { id: person.id, email: person.email, first_name: 'Ada', phone_number: '+1 555 0100' },
    ]);
    expect(tableOf(files, 'sites')).toMatchObject([{ id: siteId, name: 'sunny', role: 'owner' }]);
    expect(tableOf(files, 'orders')).toMatchObject([{ id: orderId, total: expect.any(Number) }]);
    expect(tableOf(files, 'tickets')).toMatchObject([{ id: ticketId }]);
    expect([...files.keys()].some((name) => name.startsWith(`files/ticket-${ticketId}/`))).toBe(true);
    expect(files.get('account.csv')).toContain(person.email);
    expect(files.get('README.txt')).toContain('UTC');
    const { subject, text } = await cloud.mail(person.email);
    expect(subject).toBe('Your archive from Heliograph is ready');
    expect(text).toContain(`${cloud.url}/user/data`);
  });

  it('the CSV of an archive is as spreadsheets of the language open it that the request names', async () => {
    const { id } = await cloud.make.site({ ownerId: person.id, name: 'Süd; Dach' });
    await cloud.db
      .updateTable('sites')
      .set({ latitude: -33.25, longitude: 20.5 })
      .where('id', '=', id)
      .execute();
    const { body } = await request({ csv_locale: 'de-AT' });
    const files = await archiveBytes(body.id);
    const csv = new TextDecoder('utf-8', { ignoreBOM: true }).decode(files.get('sites.csv'));
    expect(csv).toMatch(/^\u{FEFF}id;name;/u);
    expect(csv).toMatch(new RegExp(`^${id};"Süd; Dach";.*;-33,25;20,5;`, 'm'));
    expect(tableOf(await archiveOf(body.id), 'sites')).toMatchObject([{ latitude: -33.25 }]);
    expect((await request({ csv_locale: 'de_DE.UTF-8' })).status).toBe(400);
  });

  it('an archive has its tables and files byte for byte, however large they are', async () => {
    const ticketId = await cloud.make.ticket(person.id, { organizationId: null });
    const attachmentId = await cloud.make.attachment(ticketId, person.id);
    const content = Buffer.from(Array.from({ length: 2_500_001 }, (_, at) => (at * 7 + (at >> 9)) % 251));
    await cloud.db
      .updateTable('ticket_attachments')
      .set({ bytes: content, size: content.length })
      .where('id', '=', attachmentId)
      .execute();
    await sql`insert into audit_events (at, action, via, user_id, actor_id, details)
      select ${new Date(cloud.clock.now())}, 'account.exported', 'api', ${person.id}, ${person.id},
        jsonb_build_object('note', 'a "note", number ' || n || E',\\n=1+1 äöü') from generate_series(1, 3000) as n`.execute(
      cloud.db,
    );
    const { body } = await request();
    const files = await archiveBytes(body.id);
    const [path = ''] = [...files.keys()].filter((name) => name.startsWith(`files/ticket-${ticketId}/`));
    expect(Buffer.compare(Buffer.from(files.get(path) ?? []), content)).toBe(0);
    const log = strFromU8(files.get('log.json') ?? new Uint8Array());
    const rows: Record<string, unknown>[] = JSON.parse(log);
    expect(log).toBe(`${JSON.stringify(rows, null, 2)}\n`);
    expect(rows.length).toBeGreaterThanOrEqual(3000);
    const columns = Object.keys(rows[0] ?? {});
    const cell = (value: unknown) =>
      value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
    const table = csvOf([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
    expect(strFromU8(files.get('log.csv') ?? new Uint8Array())).toBe(table);
    expect(strFromU8(files.get('webhooks.json') ?? new Uint8Array())).toBe('[]\n');
    expect(strFromU8(files.get('webhooks.csv') ?? new Uint8Array())).toBe('');
  });

  it('an archive has no secret, no note of support and nothing of another person', async () => {
    const ticketId = await cloud.make.ticket(person.id, { organizationId: null });
    const operator = await cloud.make.user({ staff: true, lastName: 'Operatoria' });
    await cloud.call(`POST /api/v1/tickets/${ticketId}/replies`, {
      token: operator.token,
      body: { body: 'A note among us', internal: true },
    });
    const { body } = await request();
    const all = [...(await archiveOf(body.id)).values()].join('\n');
    const tokens = await cloud.db
      .selectFrom('tokens')
      .select('hash')
      .where('user_id', '=', person.id)
      .execute();
    for (const { hash } of tokens) expect(all).not.toContain(hash.toString('hex'));
    expect(all).not.toContain('A note among us');
    expect(all).not.toContain('Operatoria');
    expect(all).not.toMatch(/password_hash|"hash"/);
    expect(all).not.toContain(person.token);
  });

  it('exactly what is about its person is in an archive: marks of the same rows about another are not', async () => {
    const { make, db, clock } = cloud;
    const other = await make.user();
    const at = new Date(clock.now());
    const later = new Date(clock.now() + DAY_MS);
    const organizationId = await make.organization();
    const ofOther = await make.ticket(other.id, { subject: 'theirs:ticket' });
    const ofPerson = await make.ticket(person.id, { subject: 'ours:ticket' });
    const addMessage = (ticket_id: number, author_id: number, body: string, internal = false) =>
      db
        .insertInto('ticket_messages')
        .values({ ticket_id, author_id, body, internal, side: 'support', created_at: at })
        .execute();
    await addMessage(ofPerson, other.id, 'ours:answer');
    await addMessage(ofPerson, other.id, 'theirs:note', true);
    await addMessage(ofOther, other.id, 'theirs:message');
    await addMessage(ofOther, person.id, 'ours:message to another');
    await addMessage(ofOther, person.id, 'ours:note', true);
    const entry = (action: string, user_id: number | null, actor_id: number | null, mark: string) =>
      db
        .insertInto('audit_events')
        .values({
          at,
          action: action as 'account.exported',
          via: 'api',
          user_id,
          actor_id,
          details: JSON.stringify({ mark }),
        })
        .execute();
    await entry('account.renamed', person.id, other.id, 'ours:entry');
    await entry('account.renamed', other.id, person.id, 'ours:doing');
    await entry('account.renamed', other.id, other.id, 'theirs:entry');
    await entry('site.renamed', person.id, other.id, 'theirs:details');
    for (const [who, { id: user_id }] of [
      ['ours', person],
      ['theirs', other],
    ] as const) {
      const orderId = await make.order(organizationId, user_id);
      await db
        .updateTable('orders')
        .set({ note: `${who}:order` })
        .where('id', '=', orderId)
        .execute();
      await db
        .updateTable('order_items')
        .set({ name: `${who}:item` })
        .where('order_id', '=', orderId)
        .execute();
      const money = { amount: 1, currency: 'EUR', method: 'other', excess: false } as const;
      await db
        .insertInto('order_payments')
        .values({
          ...money,
          order_id: orderId,
          seller: organizationId,
          reference: `${who}:payment`,
          paid_at: at,
          recorded_at: at,
        })
        .execute();
      const parcel = { carrier: `${who}:parcel`, shipped_at: at };
      await db
        .insertInto('order_shipments')
        .values({ order_id: orderId, ...parcel })
        .execute();
      const file = await make.attachment(ofOther, user_id);
      await db
        .updateTable('ticket_attachments')
        .set({ name: `${who}:file` })
        .where('id', '=', file)
        .execute();
      await db
        .updateTable('tokens')
        .set({ name: `${who}:token` })
        .where('user_id', '=', user_id)
        .execute();
      const grant = await make.grant(user_id);
      await db
        .updateTable('oauth_grants')
        .set({ client_name: `${who}:connection` })
        .where('id', '=', grant)
        .execute();
      await db
        .insertInto('email_changes')
        .values({ user_id, email: `${who}:address`, expires_at: later })
        .execute();
      await make.teamInvitation(organizationId, user_id);
      await db
        .updateTable('employment_invitations')
        .set({ first_name: `${who}:invitation` })
        .where('user_id', '=', user_id)
        .execute();
      const webhook = await make.webhook({ userId: user_id });
      await db
        .updateTable('webhooks')
        .set({ name: `${who}:webhook` })
        .where('id', '=', webhook)
        .execute();
      const site = await make.site({ ownerId: user_id, name: null, description: `${who}:site` });
      await make.siteHistory(site.id);
      const zone = { time_zone: `${who}:zone` };
      await db.updateTable('site_history_days').set(zone).where('site_id', '=', site.id).execute();
      await make.organization(user_id);
    }
    const marksIn = (files: Map<string, string>) => {
      const found = [...files].flatMap(([name, text]) =>
        name.endsWith('.json') ? [...text.matchAll(/(?:ours|theirs):[a-z ]+/g)] : [],
      );
      return [...new Set(found.map(([mark]) => mark))].toSorted();
    };
    const files = await archiveOf((await request()).body.id);
    expect(marksIn(files)).toEqual(
      [
        ...[
          'address',
          'answer',
          'connection',
          'doing',
          'entry',
          'file',
          'invitation',
          'item',
          'message to another',
          'note',
        ],
        ...['order', 'parcel', 'payment', 'site', 'ticket', 'token', 'webhook', 'zone'],
      ].map((mark) => `ours:${mark}`),
    );
    expect(tableOf(files, 'organizations')).toHaveLength(1);
  });

  it('an archive has tags in the order of names, as every list of tags', async () => {
    const { id } = await cloud.make.site({ ownerId: person.id });
    await sql`insert into notification_settings (user_id, team_tags)
      values (${person.id}, ${['roof 10', 'Visit', 'roof 9']})`.execute(cloud.db);
    await cloud.db
      .updateTable('sites')
      .set({ tags: ['roof 10', 'Visit', 'roof 9'] })
      .where('id', '=', id)
      .execute();
    const files = await archiveOf((await request()).body.id);
    expect(tableOf(files, 'sites')).toMatchObject([{ tags: ['roof 9', 'roof 10', 'Visit'] }]);
    expect(tableOf(files, 'notification_settings')).toMatchObject([
      { team_tags: ['roof 9', 'roof 10', 'Visit'] },
    ]);
    const siteFiles = await archiveOf((await request({ site_id: id })).body.id);
    expect(tableOf(siteFiles, 'site')).toMatchObject([{ tags: ['roof 9', 'roof 10', 'Visit'] }]);
  });

  it('an archive has the locations of the sites that its person manages, and the saved views', async () => {
    const location = { latitude: 48.1374, longitude: 11.5755 };
    const others = (await cloud.make.user()).id;
    const sites = [person.id, others, others].map((ownerId) => cloud.make.site({ ownerId }));
    const [own, administered, seen] = await Promise.all(sites);
    for (const each of [own, administered, seen])
      await cloud.db
        .updateTable('sites')
        .set(location)
        .where('id', '=', each?.id ?? 0)
        .execute();
    await cloud.make.member(administered?.id ?? 0, person.id, 'admin');
    await cloud.make.member(seen?.id ?? 0, person.id, 'member');
    const views = [{ name: 'South', search: 'q=tag%3Asouth' }];
    await cloud.call('PUT /api/v1/user/site_views', { token: session, body: { views } });
    const files = await archiveOf((await request()).body.id);
    expect(tableOf(files, 'account')).toMatchObject([{ site_views: views }]);
    const latitudes = new Map(tableOf(files, 'sites').map(({ id, latitude }) => [id, latitude]));
    expect([own, administered, seen].map((each) => latitudes.get(each?.id))).toEqual([
      48.1374,
      48.1374,
      null,
    ]);
  });

  it('an archive has the support sessions of its person: all of their own site, and only their own doing elsewhere', async () => {
    const helper = await cloud.make.user({ staff: true, firstName: 'Hella', lastName: 'Helferin' });
    const other = await cloud.make.user({ staff: true, firstName: 'Otto', lastName: 'Anderer' });
    const home = await cloud.make.site({ ownerId: person.id });
    const own = await sessionAt(home.id, helper, 'setting_written');
    const elsewhere = await cloud.make.site();
    const helped = await sessionAt(elsewhere.id, other, 'probe_started');
    await join(helped, person, 'diagnostics_read');
    await sessionAt((await cloud.make.site()).id, other, 'probe_started');
    const files = await archiveOf((await request()).body.id);
    const reason = 'It shows no sun at noon.';
    expect(tableOf(files, 'recovery_sessions')).toMatchObject([
      { id: own, site_id: home.id, reason, requester_id: helper.id, requester: 'Hella Helferin' },
      { id: helped, site_id: elsewhere.id, reason: null, requester_id: null, requester: null },
    ]);
    expect(tableOf(files, 'recovery_session_participants')).toMatchObject([
      { session_id: own, participant: 'Hella Helferin' },
      { session_id: helped, participant_id: person.id },
    ]);
    expect(tableOf(files, 'recovery_session_events')).toMatchObject([
      { session_id: own, kind: 'setting_written' },
      { session_id: helped, kind: 'diagnostics_read' },
    ]);
    expect(files.get('recovery_sessions.csv')).toContain(reason);
    expect([...files.values()].join('\n')).not.toContain('Anderer');
    const { body } = await request({ site_id: home.id });
    const ofSite = await archiveOf(body.id);
    expect(tableOf(ofSite, 'recovery_sessions')).toMatchObject([{ id: own, requester: 'Hella Helferin' }]);
  });

  it('two requests at once are one archive, and eleven a day are too many', async () => {
    const [one, other] = await cloud.db.transaction().execute(async (tx) => {
      // No archive is finished before both are requested.
      await sql`lock table data_export_chunks in share mode`.execute(tx);
      return Promise.all([request(), request()]);
    });
    expect(one.body.id).toBe(other.body.id);
    const statuses = [];
    for (let count = 0; count < 9; count += 1) statuses.push((await request()).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('an archive with a file that cannot be read fails, and is made once it can be, while others are made', async () => {
    const ticketId = await cloud.make.ticket(person.id, { organizationId: null });
    await cloud.make.attachment(ticketId, person.id);
    const other = await sessionOf(await cloud.make.user());
    await sql`alter table ticket_attachments rename column bytes to unreadable`.execute(cloud.db);
    const { body } = await request();
    await archiveOf((await request({}, other)).body.id, other);
    await sql`alter table ticket_attachments rename column unreadable to bytes`.execute(cloud.db);
    expect(await list()).toMatchObject([{ id: body.id, ready_at: null }]);
    const warnings = lines.map((line) => JSON.parse(line)).filter((line) => line.export === body.id);
    expect(warnings).toMatchObject([
      { level: 40, msg: 'an archive could not be made; the next try is in an hour' },
    ]);
    expect((await request()).body.id).toBe(body.id);
    const files = await archiveOf(body.id);
    expect([...files.keys()].some((name) => name.startsWith(`files/ticket-${ticketId}/`))).toBe(true);
  });

  it("another account's archive is not found, and an archive is gone after seven days", async () => {
    const { body } = await request();
    await archiveOf(body.id);
    const stranger = await sessionOf(await cloud.make.user());
    expect((await fileOf(body.id, stranger)).status).toBe(404);
    expect((await fileOf(body.id + 1_000)).status).toBe(404);
    cloud.clock.advance(7 * DAY_MS + 1);
    const later = await sessionOf(person);
    expect((await fileOf(body.id, later)).status).toBe(404);
    expect(await list(later)).toEqual([]);
    await new Housekeeping(cloud.db, cloud.clock, silentLogger).run();
    const chunks = await cloud.db
      .selectFrom('data_export_chunks')
      .select('position')
      .where('export_id', '=', body.id)
      .execute();
    expect(chunks).toEqual([]);
  });

  it('an archive is made by a session with a fresh sign-in alone', async () => {
    expect((await request(undefined, person.token)).status).toBe(403);
    cloud.clock.advance(16 * 60_000);
    expect((await request()).status).toBe(403);
  });
});

describe('the archive of a site', () => {
  it('owners and admins get an archive of the site, members and employees do not', async () => {
    const organizationId = await cloud.make.organization();
    const site = await cloud.make.site({ ownerId: person.id, organizationId });
    const admin = await cloud.make.user();
    const member = await cloud.make.user();
    await cloud.make.member(site.id, admin.id, 'admin');
    await cloud.make.member(site.id, member.id, 'member');
    const clerk = await cloud.make.employee(organizationId);
    const answers = await Promise.all(
      [person, admin, member, clerk, await cloud.make.user()].map(async (who) =>
        request({ site_id: site.id }, await sessionOf(who)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 403, 403, 404]);
    const files = await archiveOf(answers[0]?.body.id ?? 0);
    expect(tableOf(files, 'members').map(({ email }) => email)).toEqual(
      expect.arrayContaining([person.email, admin.email, member.email]),
    );
    expect(tableOf(files, 'devices')).toMatchObject([{ uid: site.uid }]);
    expect(tableOf(files, 'log').map(({ action }) => action)).toContain('account.exported');
  });

  it('exactly what is about a site is in its archive: marks of the same rows about another of its owner are not', async () => {
    const { make, db, clock } = cloud;
    const at = new Date(clock.now());
    const shown = await make.site({ ownerId: person.id });
    const hidden = await make.site({ ownerId: person.id });
    for (const [who, { id: site_id, uid }] of [
      ['ours', shown],
      ['theirs', hidden],
    ] as const) {
      await db
        .updateTable('sites')
        .set({ description: `${who}:site` })
        .where('id', '=', site_id)
        .execute();
      await db
        .updateTable('devices')
        .set({ board: `${who}:device` })
        .where('uid', '=', uid)
        .execute();
      const member = await make.user({ firstName: `${who}:member` });
      await make.member(site_id, member.id, 'member');
      await make.alert(site_id, { text: `${who}:alert` });
      await db
        .insertInto('events')
        .values({ at, type: 'alert.raised', site_id, data: JSON.stringify({ mark: `${who}:event` }) })
        .execute();
      const details = JSON.stringify({ mark: `${who}:log` });
      await db
        .insertInto('audit_events')
        .values({ at, action: 'site.renamed', via: 'api', site_id, details })
        .execute();
      const grant = await make.grant(person.id, { siteId: site_id });
      await db
        .updateTable('oauth_grants')
        .set({ client_name: `${who}:connection` })
        .where('id', '=', grant)
        .execute();
      const friend = await make.organization();
      await db
        .updateTable('organizations')
        .set({ name: `${who}:organization` })
        .where('id', '=', friend)
        .execute();
      await make.share(friend, site_id);
      const reason = `${who}:support`;
      const id = await make.recoverySession(site_id, null);
      await db.updateTable('recovery_sessions').set({ reason }).where('id', '=', id).execute();
      await make.siteHistory(site_id);
      const zones = { time_zone: `${who}:zone`, rest_time_zones: [`${who}:former`, `${who}:second`] };
      await db
        .updateTable('site_history_days')
        .set({ ...zones, rests: sql<Buffer[]>`array[data, data]` })
        .where('site_id', '=', site_id)
        .execute();
    }
    const files = await archiveOf((await request({ site_id: shown.id })).body.id);
    const text = [...files].flatMap(([name, file]) => (name.endsWith('.json') ? [file] : [])).join();
    const marks = [...new Set([...text.matchAll(/(?:ours|theirs):[a-z]+/g)].map(([mark]) => mark))];
    expect(marks.toSorted()).toEqual(
      [
        'alert',
        'connection',
        'device',
        'event',
        'former',
        'log',
        'member',
        'organization',
        'second',
        'site',
        'support',
        'zone',
      ].map((mark) => `ours:${mark}`),
    );
  });

  it('the archive of a site is refused once its account has lost the site', async () => {
    const site = await cloud.make.site();
    await cloud.make.member(site.id, person.id, 'admin');
    const { body } = await request({ site_id: site.id });
    await archiveOf(body.id);
    await cloud.db.deleteFrom('site_members').where('user_id', '=', person.id).execute();
    expect((await fileOf(body.id)).status).toBe(404);
  });
});
