import { silentLogger } from '@heliograph/kit';
import { JwksKeys, type JwksKeysOptions, SiteTokenVerifier } from '@heliograph/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Housekeeping } from '../../housekeeping/housekeeping.ts';
import { connect, newDevice } from '../../testing/device-calls.ts';
import { PASSWORD, type TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import type { MailService } from '../mail/service.ts';
import { AttachmentRepository } from '../tickets/attachment-repository.ts';
import { TicketClosing } from '../tickets/closing.ts';
import { TicketRepository } from '../tickets/repository.ts';
import { RecoveryConclusion } from './conclusion.ts';
import { RecoveryMails } from './mails.ts';
import { RecoverySessionRepository } from './repository.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REASON = 'It shows no sun at noon.';

let cloud: TestCloud;
let organization: number;
let clerk: TestUser;
let owner: TestUser;
let site: number;
let uid: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.announce('us-1');
  organization = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  clerk = await cloud.make.employee(organization);
  owner = await cloud.make.user();
  ({ id: site, uid } = await cloud.make.site({ ownerId: owner.id, organizationId: organization }));
});

interface Shown {
  readonly id: number;
  readonly state: string;
  readonly access: string;
  readonly expires_at: string | null;
}

async function signIn({ email }: TestUser): Promise<string> {
  const body = { email, password: PASSWORD, organization_id: 'none' };
  return String((await cloud.call('POST /api/v1/sign_in', { body })).body.token);
}

const open = (token: string, body: object = {}, id = site) =>
  cloud.call<Shown>(`POST /api/v1/sites/${id}/recovery_sessions`, {
    token,
    body: { reason: REASON, ...body },
  });
const act = (id: number, what: string, token: string, body: object = {}) =>
  cloud.call<Shown>(`POST /api/v1/sites/${site}/recovery_sessions/${id}/${what}`, { token, body });
const end = (id: number, token: string) =>
  cloud.call(`DELETE /api/v1/sites/${site}/recovery_sessions/${id}`, { token });
const show = async (id: number, token = owner.token) =>
  (await cloud.call<Shown>(`GET /api/v1/sites/${site}/recovery_sessions/${id}`, { token })).body;
const join = (token: string) =>
  cloud.call<{ token: string }>(`POST /api/v1/sites/${site}/authorize?roles=recovery`, { token });

async function active(body: object = {}): Promise<number> {
  const { body: session } = await open(clerk.token, body);
  const approved = await act(session.id, 'approve', await signIn(owner), { access: 'diagnose', ...body });
  expect(approved.status).toBe(200);
  return session.id;
}

async function claimsOf(token: string) {
  const answer = await fetch(`${cloud.url}/.well-known/jwks.json`);
  const published = (await answer.json()) as Awaited<ReturnType<JwksKeysOptions['fetch']>>;
  const keys = new JwksKeys({ fetch: async () => published });
  return new SiteTokenVerifier(keys, () => cloud.clock.now()).verify(token);
}

const revocations = async () =>
  (
    await cloud.db
      .selectFrom('site_token_revocations')
      .select('subject')
      .where('site_id', '=', site)
      .execute()
  ).map(({ subject }) => subject);

describe('opening', () => {
  it('a request of support waits for the owner, who narrows it', async () => {
    const requested = await open(clerk.token, { access: 'repair', hours: 48 });
    expect(requested).toMatchObject({
      status: 201,
      body: {
        state: 'requested',
        access: 'repair',
        hours: 48,
        reason: REASON,
        party: { organization: { id: organization } },
        requested_by: { id: clerk.id },
        opened_at: null,
      },
    });
    expect((await join(clerk.token)).status).toBe(403);
    const { id } = requested.body;
    const session = await signIn(owner);
    expect(await act(id, 'approve', session, { access: 'settings' })).toMatchObject({
      status: 422,
      body: { errors: { access: ['must be no more than was requested, repair'] } },
    });
    expect(await act(id, 'approve', session, { access: 'diagnose', hours: 2 })).toMatchObject({
      status: 200,
      body: {
        state: 'active',
        access: 'diagnose',
        approved_by: { id: owner.id },
        expires_at: new Date(cloud.clock.now() + 2 * HOUR_MS).toISOString(),
      },
    });
    expect(await act(id, 'approve', session)).toMatchObject({
      status: 422,
      body: { error: 'The session is active: it can be extended or ended' },
    });
  });

  it('an approval that names no access gives no settings', async () => {
    const { body } = await open(clerk.token, { access: 'settings' });
    expect((await act(body.id, 'approve', await signIn(owner))).body.access).toBe('repair');
  });

  it('an approval requires a sign-in within 15 minutes, and no API token approves', async () => {
    const { body } = await open(clerk.token);
    const session = await signIn(owner);
    cloud.clock.advance(15 * MINUTE_MS + 1);
    expect(await act(body.id, 'approve', session)).toMatchObject({
      status: 403,
      body: { next_step: 'sign_in' },
    });
    expect((await act(body.id, 'approve', owner.token)).status).toBe(403);
    expect((await show(body.id)).state).toBe('requested');
  });

  it('a session that an owner opens is active at once, and settings take a signed-in person', async () => {
    expect((await open(owner.token, { access: 'settings' })).status).toBe(403);
    const session = await signIn(owner);
    expect(await open(session, { access: 'settings', hours: 1 })).toMatchObject({
      status: 201,
      body: { state: 'active', access: 'settings', request_expires_at: null },
    });
  });

  it('two requests at once are one session', async () => {
    const answers = await Promise.all([open(clerk.token), open(clerk.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('a site has a session for its organization and another for the operator', async () => {
    const operator = await cloud.make.user({ staff: true });
    const [ours, theirs] = [await open(clerk.token), await open(operator.token)];
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body).toMatchObject({ party: { organization: null } });
    expect((await open(clerk.token, { party: 'operator' })).status).toBe(403);
    const ofClerk = await cloud.call<Shown[]>(`GET /api/v1/sites/${site}/recovery_sessions`, {
      token: clerk.token,
    });
    expect(ofClerk.body.map(({ id }) => id)).toEqual([ours.body.id]);
    expect((await end(theirs.body.id, clerk.token)).status).toBe(404);
  });

  it('a device that never lets support in refuses requests and approvals', async () => {
    const { body } = await open(clerk.token);
    await cloud.db.updateTable('devices').set({ support_access: 'never' }).where('uid', '=', uid).execute();
    expect((await act(body.id, 'approve', await signIn(owner))).status).toBe(422);
    await end(body.id, clerk.token);
    expect((await open(owner.token)).status).toBe(422);
    await cloud.db.updateTable('devices').set({ support_access: 'ask' }).where('uid', '=', uid).execute();
    expect((await open(owner.token)).status).toBe(201);
  });

  it('a ticket of a session is about the site, or by one of its members, and exists for the caller', async () => {
    const stranger = await cloud.make.user();
    const { id: siteId } = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
    const handled = { organizationId: organization };
    const unseen = await cloud.make.ticket(owner.id, { siteId: site });
    const ofOther = await cloud.make.ticket(stranger.id, handled);
    const ofOtherSite = await cloud.make.ticket(owner.id, { ...handled, siteId });
    const closed = await cloud.make.ticket(owner.id, { ...handled, siteId: site, state: 'closed' });
    for (const ticketId of [ofOther, ofOtherSite, closed])
      expect(await open(clerk.token, { ticket_id: ticketId })).toMatchObject({
        status: 422,
        body: { errors: { ticket_id: [expect.any(String)] } },
      });
    const ticket = await cloud.make.ticket(owner.id, handled);
    expect(await open(clerk.token, { ticket_id: unseen })).toMatchObject({
      status: 422,
      body: { errors: { ticket_id: [expect.any(String)] } },
    });
    const { body } = await open(clerk.token, { ticket_id: ticket });
    expect(body).toMatchObject({ ticket_id: ticket });
    const shown = async () =>
      (await cloud.call(`GET /api/v1/tickets/${ticket}`, { token: clerk.token })).body;
    const newest = { recovery_session: { id: body.id, site_id: site, state: 'requested' } };
    expect(await shown()).toMatchObject(newest);
    const ownTicket = `GET /api/v1/user/tickets/${ticket}`;
    expect((await cloud.call(ownTicket, { token: owner.token })).body).toMatchObject(newest);
    cloud.clock.advance(72 * HOUR_MS);
    expect(await shown()).toMatchObject({ recovery_session: { state: 'expired' } });
  });
});

describe('a token of a session', () => {
  it('a token names person, session and access, and lasts 15 minutes', async () => {
    const id = await active({ access: 'repair' });
    const joined = await join(clerk.token);
    expect(joined.status).toBe(200);
    expect(await claimsOf(joined.body.token)).toMatchObject({
      userId: clerk.id,
      access: 'read',
      mayConfigure: false,
      expiresAt: cloud.clock.now() + 15 * MINUTE_MS,
      recovery: { sessionId: id, access: 'repair', until: cloud.clock.now() + 24 * HOUR_MS },
    });
    expect(await show(id)).toMatchObject({ participants: [{ id: clerk.id }], changes: 0 });
    const events = `GET /api/v1/sites/${site}/recovery_sessions/${id}/events`;
    expect((await cloud.call(events, { token: owner.token })).body).toMatchObject([
      { kind: 'joined', user: { id: clerk.id }, succeeded: true },
    ]);
  });

  it('a token ends with its session, which no further one can be had for', async () => {
    const id = await active({ hours: 1 });
    cloud.clock.advance(HOUR_MS - 5 * MINUTE_MS);
    const { body } = await join(clerk.token);
    expect((await claimsOf(body.token)).expiresAt).toBe(cloud.clock.now() + 5 * MINUTE_MS);
    cloud.clock.advance(5 * MINUTE_MS);
    expect((await join(clerk.token)).status).toBe(403);
    expect(await show(id)).toMatchObject({ state: 'expired', end_reason: 'time' });
  });

  it('the owner, and employees who left, get no token', async () => {
    await active();
    expect((await join(owner.token)).status).toBe(403);
    await cloud.db.deleteFrom('organization_members').where('user_id', '=', clerk.id).execute();
    expect((await join(clerk.token)).status).toBe(404);
  });

  it('a token without both scopes is refused', async () => {
    await active();
    const scopes = ['sites:read_all'] as const;
    expect((await join(await cloud.make.token(clerk.id, { scopes }))).status).toBe(403);
  });
});

describe('the end', () => {
  it.each(['owner', 'support'] as const)(
    'an end by the %s revokes the tokens of the session alone',
    async (who) => {
      const id = await active();
      await join(clerk.token);
      const { token } = who === 'owner' ? owner : clerk;
      expect((await end(id, token)).status).toBe(204);
      expect((await end(id, token)).status).toBe(204);
      expect(await show(id)).toMatchObject({ state: 'ended', end_reason: who });
      expect(await revocations()).toEqual([`recovery:${id}`]);
      expect((await join(clerk.token)).status).toBe(403);
    },
  );

  it('a request lapses after 72 hours, and its end is recorded and mailed once', async () => {
    const { body } = await open(clerk.token);
    cloud.clock.advance(72 * HOUR_MS - 1);
    expect((await show(body.id)).state).toBe('requested');
    cloud.clock.advance(1);
    expect(await show(body.id)).toMatchObject({ state: 'expired', end_reason: 'time' });
    expect((await act(body.id, 'approve', await signIn(owner))).status).toBe(422);
    const sessions = new RecoverySessionRepository(cloud.db);
    const mails: number[] = [];
    // Mails of a session need nothing else.
    const mail = { enqueue: async (_tx: unknown, { userId }: { userId: number }) => void mails.push(userId) };
    const conclusion = new RecoveryConclusion(
      cloud.db,
      sessions,
      new RecoveryMails(mail as unknown as MailService, sessions),
      cloud.clock,
    );
    const clean = () => new Housekeeping(cloud.db, cloud.clock, silentLogger, [() => conclusion.run()]).run();
    await Promise.all([clean(), clean()]);
    const events = await cloud.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'recovery_session.expired')
      .where('site_id', '=', site)
      .execute();
    expect(events).toEqual([{ details: { recovery_session: body.id, end_reason: 'time' } }]);
    expect(mails.filter((id) => id === owner.id || id === clerk.id).sort()).toEqual(
      [clerk.id, owner.id].sort(),
    );
  });

  it('an extension has seven days in all', async () => {
    const id = await active({ hours: 72 });
    const session = await signIn(owner);
    expect((await act(id, 'extend', session, { hours: 72 })).status).toBe(200);
    expect(await act(id, 'extend', session, { hours: 25 })).toMatchObject({
      status: 422,
      body: { errors: { hours: [expect.any(String)] } },
    });
    expect((await act(id, 'extend', session, { hours: 24 })).body).toMatchObject({
      expires_at: new Date(cloud.clock.now() + 168 * HOUR_MS).toISOString(),
    });
  });

  it('a new owner of the site ends what the former one allowed', async () => {
    const id = await active();
    await join(clerk.token);
    const heir = await cloud.make.user();
    await cloud.make.member(site, heir.id, 'member');
    const body = { role: 'owner' };
    const handed = await cloud.call(`PATCH /api/v1/sites/${site}/users/${heir.id}`, {
      token: owner.token,
      body,
    });
    expect(handed.status).toBe(200);
    expect(await show(id, heir.token)).toMatchObject({ state: 'ended', end_reason: 'transfer' });
    expect(await revocations()).toContain(`recovery:${id}`);
  });

  it('a site that goes to another organization is out of reach for the former one', async () => {
    const id = await active();
    await cloud.db.updateTable('sites').set({ organization_id: null }).where('id', '=', site).execute();
    expect(await show(id)).toMatchObject({ state: 'ended', end_reason: 'access_lost' });
  });

  it('a session ends with the ticket that it is about', async () => {
    const ticket = await cloud.make.ticket(owner.id, { organizationId: organization, state: 'resolved' });
    cloud.clock.advance(13 * 24 * HOUR_MS);
    const id = await active({ ticket_id: ticket, hours: 72 });
    await join(clerk.token);
    cloud.clock.advance(24 * HOUR_MS + 1);
    const { db, clock } = cloud;
    await new TicketClosing(db, new TicketRepository(db, clock), new AttachmentRepository(db), clock).run();
    expect(await show(id)).toMatchObject({ state: 'ended', end_reason: 'ticket_closed' });
    expect(await revocations()).toContain(`recovery:${id}`);
  });

  it('an approval and a withdrawal at once leave no open session', async () => {
    const { body } = await open(clerk.token);
    const session = await signIn(owner);
    await Promise.all([act(body.id, 'approve', session), end(body.id, clerk.token)]);
    expect((await show(body.id)).state).toBe('ended');
  });
});

describe('the list', () => {
  it('the list of support has its own sessions, which the search finds', async () => {
    const id = await active();
    const list = async (q: string, token = clerk.token) => {
      const query = new URLSearchParams({ q, limit: '200' });
      return (await cloud.call<Shown[]>(`GET /api/v1/recovery_sessions?${query}`, { token })).body.map(
        (one) => one.id,
      );
    };
    expect(await list(`site_id:${site}`)).toEqual([id]);
    expect(await list(`site_id:${site} state:active noon`)).toEqual([id]);
    expect(await list(`site_id:${site} state:ended`)).toEqual([]);
    expect(await list(`user_id:${clerk.id} opened_after:2026-01-01`)).toEqual([id]);
    expect(await list('', owner.token)).toEqual([]);

    const operator = await cloud.make.user({ staff: true });
    const ofOperators = (await open(operator.token)).body.id;
    expect(await list(`site_id:${site}`, operator.token)).toEqual([ofOperators, id]);
    expect(await list(`site_id:${site} organization_id:none`, operator.token)).toEqual([ofOperators]);
    expect(await list(`organization_id:${organization} site_id:${site}`, operator.token)).toEqual([id]);
    expect(await list(`site_id:${site}`)).toEqual([id]);
    expect(await list(`site_id:${site} organization_id:none`)).toEqual([]);
  });

  it('each step is in the log of the site', async () => {
    const id = await active();
    await join(clerk.token);
    await end(id, owner.token);
    const { body } = await cloud.call<{ action: string }[]>(`GET /api/v1/sites/${site}/audit`, {
      token: owner.token,
    });
    const actions = body
      .map(({ action }) => action)
      .filter((action) => action.startsWith('recovery_session.'));
    expect(actions).toEqual(
      ['ended', 'joined', 'approved', 'requested'].map((what) => `recovery_session.${what}`),
    );
  });

  it('the owner is mailed the request with its reason, and support the answer', async () => {
    await active();
    const { text } = await cloud.mail(owner.email);
    expect(text).toContain(REASON);
    expect(text).toContain(`/sites/${site}/support`);
    expect((await cloud.mail(clerk.email)).subject).toMatch(/Support has access/);
  });
});

describe('reports of the device', () => {
  /** A registered device that calls the cloud, and an active session of its site. */
  async function registered() {
    await cloud.announce('us-1');
    const device = await newDevice();
    await connect(cloud, device);
    const body = { uid: device.uid };
    const answer = await cloud.call<{ id: number }>('POST /api/v1/sites/register', {
      token: owner.token,
      body,
    });
    site = answer.body.id;
    const operator = await cloud.make.user({ staff: true });
    const { body: session } = await open(await signIn(owner), { party: 'operator' });
    expect((await join(operator.token)).status).toBe(200);
    const event = (id: string, fields: object = {}) => ({
      id,
      session_id: session.id,
      user_id: operator.id,
      at: new Date(cloud.clock.now()).toISOString(),
      kind: 'password_removed',
      subject: null,
      succeeded: true,
      ...fields,
    });
    const report = (support: unknown) => connect(cloud, device, { support });
    return { id: session.id, operator, event, report };
  }
  const eventsOf = async (id: number) =>
    (await cloud.call(`GET /api/v1/sites/${site}/recovery_sessions/${id}/events`, { token: owner.token }))
      .body;

  it('an event that is reported twice is stored and mailed once, and the device may forget it', async () => {
    const { id, operator, event, report } = await registered();
    const support = { access: 'ask', ended: [], events: [event('a')] };
    const answers = [await report(support), await report(support)];
    for (const { body } of answers)
      expect(body).toMatchObject({
        support: { sessions: [{ id, reason: REASON, firm: null }], received: ['a'] },
      });
    expect(await eventsOf(id)).toMatchObject([
      { kind: 'password_removed', user: { id: operator.id } },
      { kind: 'joined' },
    ]);
    expect((await show(id)) as object).toMatchObject({ changes: 1 });
    await expect.poll(async () => (await cloud.mails(owner.email)).length).toBe(1);
    expect((await cloud.mail(owner.email)).subject).toContain('password');
  });

  it('a setting that support writes is an event of the site, once', async () => {
    const { event, report } = await registered();
    const at = new Date(cloud.clock.now()).toISOString();
    const kind = 'setting_written';
    const events = [
      event('s1', { kind, subject: 'battery_1/max_charge_power = 3000' }),
      event('s2', { kind, subject: 'inverter_1/export_limit = 0', succeeded: false }),
    ];
    for (let i = 0; i < 2; i++) await report({ access: 'ask', ended: [], events });
    const written = await cloud.db
      .selectFrom('events')
      .select('data')
      .where('site_id', '=', site)
      .where('type', '=', 'setting.written')
      .orderBy('id')
      .execute();
    expect(written.map(({ data }) => data)).toEqual([
      { topic: 'battery_1/max_charge_power', value: '3000', outcome: 'written', written_at: at },
      { topic: 'inverter_1/export_limit', value: '0', outcome: 'failed', written_at: at },
    ]);
  });

  it('an end on the device ends the session, and reports about other sites are left out', async () => {
    const other = await registered();
    const { id, event, report } = await registered();
    const foreign = event('b', { session_id: other.id });
    const { body } = await report({ access: 'ask', ended: [id, other.id], events: [foreign] });
    expect(body).toMatchObject({ support: { sessions: [] } });
    expect(await show(id)).toMatchObject({ state: 'ended', end_reason: 'device' });
    const states = await cloud.db
      .selectFrom('recovery_sessions')
      .select(['ended_at'])
      .where('id', '=', other.id)
      .execute();
    expect(states).toEqual([{ ended_at: null }]);
    const strangers = await cloud.db
      .selectFrom('recovery_session_events')
      .select('id')
      .where('report_id', '=', 'b')
      .execute();
    expect(strangers).toEqual([]);
  });

  it.each([null, 7, 'x', {}, { ended: 1, events: {} }, { ended: ['1', -1, 2 ** 40], events: [null, {}] }])(
    'a report of %j refuses no device',
    async (support) => {
      const { id, report } = await registered();
      expect((await report(support)).status).toBe(200);
      expect(await show(id)).toMatchObject({ state: 'active' });
    },
  );
});
