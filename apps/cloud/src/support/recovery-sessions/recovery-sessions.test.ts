import type { Scope } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { JwksKeys, type JwksKeysOptions, SiteTokenVerifier } from '@heliograph/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, newDevice } from '../../../test/device-calls.ts';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { SERVICE } from '../../access/caller.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';
import { closeResolvedTickets } from '../tickets/closing.ts';
import { concludeSessions } from './conclusion.ts';
import { activeRecoverySessions } from './participation.ts';

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
const act = <Body = Shown>(id: number, what: string, token: string, body: object = {}) =>
  cloud.call<Body>(`POST /api/v1/sites/${site}/recovery_sessions/${id}/${what}`, { token, body });
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

  it('a session that an owner opens in person is active at once', async () => {
    expect(await open(await signIn(owner), { access: 'settings', hours: 1 })).toMatchObject({
      status: 201,
      body: { state: 'active', access: 'settings', request_expires_at: null },
    });
  });

  it.each(['diagnose', 'repair', 'settings'])(
    "an owner's API token opens no session with %s: it asks its own person",
    async (access) => {
      const { status, body } = await open(owner.token, { access });
      expect({ status, body }).toMatchObject({ status: 201, body: { state: 'requested', opened_at: null } });
      expect((await join(clerk.token)).status).toBe(403);
      expect((await cloud.mail(owner.email)).text).toContain(REASON);
      expect((await act(body.id, 'approve', await signIn(owner))).status).toBe(200);
      expect((await join(clerk.token)).status).toBe(200);
    },
  );

  it('an owner whose sign-in is old opens no session', async () => {
    const token = await signIn(owner);
    cloud.clock.advance(15 * MINUTE_MS + 1);
    expect(await open(token)).toMatchObject({ status: 403, body: { next_step: 'sign_in' } });
  });

  it('a session is of the party that its caller may ask for, and each caller gets no other', async () => {
    const { make } = cloud;
    const admin = await make.user();
    const member = await make.user();
    const operator = await make.user({ staff: true });
    const both = await make.user({ staff: true });
    await cloud.db
      .insertInto('organization_members')
      .values({ user_id: both.id, organization_id: organization, role: 'member' })
      .execute();
    const other = await make.organization();
    const clerkOfOther = await make.employee(other);
    const elsewhere = await make.user({ staff: true });
    await cloud.db
      .insertInto('organization_members')
      .values({ user_id: elsewhere.id, organization_id: other, role: 'member' })
      .execute();
    const ours = organization;
    const rows: [string, TestUser, string | undefined, number | null, number, number | null | undefined][] = [
      ['owner', owner, undefined, ours, 201, ours],
      ['owner', owner, 'organization', ours, 201, ours],
      ['owner', owner, 'operator', ours, 201, null],
      ['owner', owner, undefined, null, 201, null],
      ['owner', owner, 'organization', null, 422, undefined],
      ['admin', admin, undefined, ours, 201, ours],
      ['member', member, undefined, ours, 403, undefined],
      ['employee', clerk, undefined, ours, 201, ours],
      ['employee', clerk, 'organization', ours, 201, ours],
      ['employee', clerk, 'operator', ours, 403, undefined],
      ['employee of another one', clerkOfOther, undefined, ours, 404, undefined],
      ['operator', operator, undefined, ours, 201, null],
      ['operator', operator, 'operator', ours, 201, null],
      ['operator', operator, 'organization', ours, 403, undefined],
      ['operator', operator, undefined, null, 201, null],
      ['operator who is an employee', both, undefined, ours, 201, ours],
      ['operator who is an employee', both, 'operator', ours, 201, null],
      ['operator who is an employee of another one', elsewhere, undefined, ours, 201, null],
    ];
    for (const [who, account, party, organizationId, status, granted] of rows) {
      const { id } = await make.site({ ownerId: owner.id, organizationId });
      await make.member(id, admin.id, 'admin');
      await make.member(id, member.id, 'member');
      const isHousehold = ['owner', 'admin'].includes(who);
      const token = isHousehold ? await signIn(account) : account.token;
      const answer = await open(token, party === undefined ? {} : { party }, id);
      const row = `${who} ${party} ${organizationId}`;
      expect(answer.status, row).toBe(status);
      if (granted === undefined) continue;
      expect(answer.body, row).toMatchObject({
        party: { organization: granted === null ? null : { id: granted } },
        access: 'diagnose',
        hours: 24,
        state: isHousehold ? 'active' : 'requested',
        opened_at: isHousehold ? new Date(cloud.clock.now()).toISOString() : null,
        expires_at: isHousehold ? new Date(cloud.clock.now() + 24 * HOUR_MS).toISOString() : null,
        request_expires_at: isHousehold ? null : new Date(cloud.clock.now() + 72 * HOUR_MS).toISOString(),
      });
    }
  });

  it('a reason has ten characters without the space around it, which is not kept', async () => {
    expect(await open(owner.token, { reason: '  too short  ' })).toMatchObject({
      status: 422,
      body: { errors: { reason: ['must have at least 10 characters'] } },
    });
    expect((await open(owner.token, { reason: '  ten chars.  ' })).body).toMatchObject({
      reason: 'ten chars.',
    });
  });

  it('support requests a session of a site ten times a day; its owner and other sites are not held up', async () => {
    for (let i = 0; i < 10; i++) {
      const { status, body } = await open(clerk.token);
      expect(status).toBe(201);
      // One that is open is answered again.
      expect((await open(clerk.token)).status).toBe(200);
      await end(body.id, clerk.token);
    }
    expect((await open(clerk.token)).status).toBe(429);
    const other = await cloud.make.site({ organizationId: organization });
    expect((await open(clerk.token, {}, other.id)).status).toBe(201);
    expect((await open(await signIn(owner))).status).toBe(201);
  });

  it('a step that the state of a session does not allow is refused with those that it does', async () => {
    const { body } = await open(clerk.token, { hours: 4 });
    const session = await signIn(owner);
    const refusal = async (what: string, given: object = {}) => {
      const { status, body: refused } = await act<{ error: string }>(body.id, what, session, given);
      return [status, refused.error];
    };
    const requested = 'The session is requested: it can be approved, declined or withdrawn';
    expect(await refusal('extend', { hours: 1 })).toEqual([422, requested]);
    expect(await act(body.id, 'approve', session, { hours: 5 })).toMatchObject({
      status: 422,
      body: { errors: { hours: ['must be no more than was requested, 4'] } },
    });
    for (const what of ['approve', 'decline', 'extend'])
      expect((await act(body.id, what, clerk.token, { hours: 1 })).status, what).toBe(403);
    expect(await act(body.id, 'decline', session)).toMatchObject({
      status: 200,
      body: {
        ...{ state: 'declined', ended_by: { id: owner.id }, opened_at: null, end_reason: null },
        ended_at: new Date(cloud.clock.now()).toISOString(),
      },
    });
    const declined = 'The session is declined: another one can be requested';
    for (const what of ['approve', 'decline', 'extend'])
      expect(await refusal(what, { hours: 1 }), what).toEqual([422, declined]);
    expect((await end(body.id, session)).status).toBe(204);
    expect((await show(body.id)).state).toBe('declined');
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
    const other = await cloud.make.site({ ownerId: owner.id });
    await cloud.db
      .updateTable('devices')
      .set({ support_access: 'never' })
      .where('uid', '=', other.uid)
      .execute();
    const { body } = await open(clerk.token);
    expect(body).toMatchObject({ state: 'requested' });
    await cloud.db.updateTable('devices').set({ support_access: 'never' }).where('uid', '=', uid).execute();
    expect((await act(body.id, 'approve', await signIn(owner))).status).toBe(422);
    await end(body.id, clerk.token);
    expect((await open(owner.token)).status).toBe(422);
    await cloud.db.updateTable('devices').set({ support_access: 'ask' }).where('uid', '=', uid).execute();
    expect((await open(owner.token)).status).toBe(201);
  });

  it('a ticket of a session is about the site, or by one of its members, and exists for the caller', async () => {
    const stranger = await cloud.make.user();
    const neighbour = await cloud.make.user();
    const { id: siteId } = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
    await cloud.make.member((await cloud.make.site({ ownerId: stranger.id })).id, neighbour.id, 'member');
    const handled = { organizationId: organization };
    const unseen = await cloud.make.ticket(owner.id, { siteId: site });
    const ofOther = await cloud.make.ticket(stranger.id, handled);
    const ofNeighbour = await cloud.make.ticket(neighbour.id, handled);
    const ofOtherSite = await cloud.make.ticket(owner.id, { ...handled, siteId });
    const closed = await cloud.make.ticket(owner.id, { ...handled, siteId: site, state: 'closed' });
    for (const ticketId of [ofOther, ofNeighbour, ofOtherSite, closed])
      expect(await open(clerk.token, { ticket_id: ticketId })).toMatchObject({
        status: 422,
        body: { errors: { ticket_id: [expect.any(String)] } },
      });
    const member = await cloud.make.user();
    await cloud.make.member(site, member.id, 'member');
    const ofMember = await cloud.make.ticket(member.id, handled);
    const { body: first } = await open(clerk.token, { ticket_id: ofMember });
    expect(first).toMatchObject({ ticket_id: ofMember });
    await end(first.id, clerk.token);
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

  it('each person of the party who joins is named in the token, and once in the session', async () => {
    const { make, clock } = cloud;
    const nameless = await make.employee(organization, 'member', { firstName: '', lastName: '' });
    const named = await make.employee(organization, 'member', { firstName: 'Ada', lastName: 'Example' });
    const id = await active();
    const other = await make.recoverySession(site, null, { isActive: true });
    const times: string[] = [];
    const joinAs = async ({ token }: TestUser) => {
      times.push(new Date(clock.now()).toISOString());
      const { recovery } = await claimsOf((await join(token)).body.token);
      clock.advance(MINUTE_MS);
      return [recovery?.name, recovery?.firm];
    };
    const { name: firm } = await cloud.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organization)
      .executeTakeFirstOrThrow();
    expect(await joinAs(nameless)).toEqual([`user ${nameless.id}`, firm]);
    expect(await joinAs(named)).toEqual(['Ada Example', firm]);
    expect(await joinAs(nameless)).toEqual([`user ${nameless.id}`, firm]);
    expect(await show(id)).toMatchObject({
      participants: [
        { id: nameless.id, name: `user ${nameless.id}`, first_at: times[0], last_at: times[2] },
        { id: named.id, name: 'Ada Example', first_at: times[1], last_at: times[1] },
      ],
    });
    expect(await show(other)).toMatchObject({ participants: [] });
    const events = (query: string) =>
      cloud.call<{ at: string }[]>(`GET /api/v1/sites/${site}/recovery_sessions/${id}/events${query}`, {
        token: owner.token,
      });
    expect((await events('')).body.map(({ at }) => at)).toEqual([times[1], times[0]]);
    expect((await events('?offset=1')).body.map(({ at }) => at)).toEqual([times[0]]);
    expect((await events('?limit=1')).body.map(({ at }) => at)).toEqual([times[1]]);
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

  it('an account that consented to a session does not join it', async () => {
    const both = await cloud.make.employee(organization);
    await cloud.make.member(site, both.id, 'admin');
    const requested = (await open(clerk.token)).body.id;
    expect((await act(requested, 'approve', await signIn(both))).status).toBe(200);
    expect((await join(both.token)).status).toBe(403);
    expect((await join(clerk.token)).status).toBe(200);
    await end(requested, owner.token);
    expect((await open(await signIn(both))).body).toMatchObject({ state: 'active' });
    expect((await join(both.token)).status).toBe(403);
    expect((await join(clerk.token)).status).toBe(200);
  });

  it('an account that extended a session does not join it, and one that joined does not extend it', async () => {
    const id = await active();
    const [first, second] = [
      await cloud.make.employee(organization),
      await cloud.make.employee(organization),
    ];
    for (const both of [first, second]) await cloud.make.member(site, both.id, 'admin');
    expect((await act(id, 'extend', await signIn(first), { hours: 1 })).status).toBe(200);
    expect((await join(first.token)).status).toBe(403);
    expect((await join(second.token)).status).toBe(200);
    expect((await act(id, 'extend', await signIn(second), { hours: 1 })).status).toBe(403);
    expect((await act(id, 'extend', await signIn(owner), { hours: 1 })).status).toBe(200);
    expect((await join(first.token)).status).toBe(403);
  });

  it.each<[Scope[], string]>([
    [['sites:read_all', 'sites:recover_all'], 'diagnose'],
    [['sites:read_all', 'sites:recover_all', 'sites:write_all'], 'repair'],
  ])('a token with %j is support that may %s at most', async (scopes, access) => {
    await active({ access: 'repair' });
    const { body } = await join(await cloud.make.token(clerk.id, { scopes }));
    expect((await claimsOf(body.token)).recovery?.access).toBe(access);
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
    const [admin, member] = [await cloud.make.user(), await cloud.make.user()];
    await cloud.make.member(site, admin.id, 'admin');
    await cloud.make.member(site, member.id, 'member');
    const { body } = await open(clerk.token);
    cloud.clock.advance(72 * HOUR_MS - 1);
    expect((await show(body.id)).state).toBe('requested');
    cloud.clock.advance(1);
    expect(await show(body.id)).toMatchObject({ state: 'expired', end_reason: 'time' });
    expect((await act(body.id, 'approve', await signIn(owner))).status).toBe(422);
    const mails: number[] = [];
    const mail: Pick<MailService, 'enqueue'> = {
      enqueue: async (_tx, job) => void (job.kind === 'recovery' && mails.push(job.userId)),
    };
    const { db, clock } = cloud;
    const clean = () =>
      new Housekeeping(db, clock, silentLogger, [() => concludeSessions({ db, clock, mail })]).run();
    await Promise.all([clean(), clean()]);
    const events = await cloud.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'recovery_session.expired')
      .where('site_id', '=', site)
      .execute();
    expect(events).toEqual([{ details: { recovery_session: body.id, end_reason: 'time' } }]);
    const people = [clerk, owner, admin, member].map(({ id }) => id);
    expect(mails.filter((id) => people.includes(id)).toSorted()).toEqual(people.slice(0, 3).toSorted());
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
    await closeResolvedTickets({ db, clock });
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

describe('who and when', () => {
  it('a session shows itself to exactly those who look after the site or are of its party, and lets the party in', async () => {
    const { make } = cloud;
    const other = await make.organization();
    const admin = await make.user();
    await make.member(site, admin.id, 'admin');
    const member = await make.user();
    await make.member(site, member.id, 'member');
    const boss = await make.employee(organization, 'owner');
    const clerkOfOther = await make.employee(other);
    const operator = await make.user({ staff: true });
    const stranger = await make.user();
    const { id: quiet } = await make.site({ ownerId: owner.id, organizationId: organization });
    const { id: foreign } = await make.site({ organizationId: other });
    const isActive = true;
    const sessions: Record<string, number> = {
      ours: await make.recoverySession(site, organization, { isActive }),
      theirs: await make.recoverySession(site, null, { isActive }),
      foreign: await make.recoverySession(foreign, null, { isActive }),
      'of a former organization': await make.recoverySession(site, other, { isActive }),
    };
    const former = 'of a former organization';
    const all = Object.keys(sessions);
    /** Account, organization of its token, sessions that it reads at the site, that it lists, and that it joins. */
    const table: [string, TestUser, number | null, string[], string[], string | null][] = [
      ['owner', owner, null, ['ours', 'theirs', former], [], null],
      ['admin', admin, null, ['ours', 'theirs', former], [], null],
      ['member', member, null, [], [], null],
      ['employee', clerk, null, ['ours'], ['ours'], 'ours'],
      ['employee with a token of the organization', clerk, organization, ['ours'], ['ours'], 'ours'],
      ['employee with a token of another one', clerk, other, [], [], null],
      ['owner of the organization', boss, null, ['ours', 'theirs', former], ['ours'], 'ours'],
      ['employee of the former organization', clerkOfOther, null, [], [former], null],
      ['the same with its token', clerkOfOther, other, [], [], null],
      ['operator', operator, null, ['ours', 'theirs', former], all, 'theirs'],
      [
        'operator with a token of the organization',
        operator,
        organization,
        ['ours', 'theirs', former],
        ['theirs'],
        'theirs',
      ],
      ['operator with a token of another one', operator, other, [], ['foreign'], null],
      ['stranger', stranger, null, [], [], null],
    ];
    const namesOf = (found: readonly { id: number }[]) =>
      all.filter((name) => found.some(({ id }) => id === sessions[name]));
    for (const [who, { id: userId }, organizationId, read, listed, joined] of table) {
      const token = await make.token(userId, { organizationId });
      const path = `/sites/${site}/recovery_sessions`;
      const ofSite = await cloud.call<Shown[]>(`GET /api/v1${path}`, { token });
      expect(namesOf(ofSite.status === 200 ? ofSite.body : []), who).toEqual(read);
      const shown: string[] = [];
      for (const name of all) {
        const one = await cloud.call(`GET /api/v1${path}/${sessions[name]}/events`, { token });
        if (one.status === 200) shown.push(name);
      }
      expect(shown, who).toEqual(read);
      const list = await cloud.call<Shown[]>('GET /api/v1/recovery_sessions?limit=200', { token });
      expect(namesOf(list.body), who).toEqual(listed);
      const answer = await join(token);
      const id = answer.status === 200 ? (await claimsOf(answer.body.token)).recovery?.sessionId : null;
      expect(id, who).toBe(joined === null ? null : sessions[joined]);
      const atQuiet = await cloud.call(`POST /api/v1/sites/${quiet}/authorize?roles=recovery`, { token });
      expect(atQuiet.status, who).not.toBe(200);
    }
    for (const what of ['', `/${sessions.ours}`, `/${sessions.ours}/events`]) {
      const route = `GET /api/v1/sites/${site}/recovery_sessions${what}` as const;
      expect((await cloud.call(route, { token: member.token })).status, what).toBe(403);
    }
  });

  it('each combination of dates has one state, by which sessions are shown, concluded and ended', async () => {
    const { db, clock } = cloud;
    const other = await cloud.make.organization();
    const now = new Date(clock.now());
    const earlier = new Date(clock.now() - HOUR_MS);
    interface Case {
      readonly isDeclined: boolean;
      readonly isEnded: boolean;
      readonly isOpened: boolean;
      readonly leftMs: number;
      readonly party: number | null;
    }
    const cases = [false, true].flatMap((isDeclined) =>
      [false, true].flatMap((isEnded) =>
        [false, true].flatMap((isOpened) =>
          [-1, 0, 1].flatMap((leftMs) =>
            [null, organization, other].map(
              (party): Case => ({ isDeclined, isEnded, isOpened, leftMs, party }),
            ),
          ),
        ),
      ),
    );
    const stateOf = ({ isDeclined, isEnded, isOpened, leftMs, party }: Case): [string, string | null] => {
      if (isDeclined) return ['declined', null];
      if (isEnded) return ['ended', 'owner'];
      if (leftMs <= 0) return ['expired', 'time'];
      if (party === other) return ['ended', 'access_lost'];
      return [isOpened ? 'active' : 'requested', null];
    };
    const ids = new Map<number, Case>();
    for (const one of cases) {
      const id = await cloud.make.recoverySession(site, one.party);
      const until = new Date(clock.now() + one.leftMs);
      // The date of the request counts for one that was never opened.
      const dates = one.isOpened
        ? {
            opened_at: earlier,
            expires_at: until,
            request_expires_at: new Date(clock.now() - 2 * one.leftMs),
          }
        : { request_expires_at: until };
      const declined = one.isDeclined ? { declined_at: earlier } : {};
      const ended = one.isEnded ? { ended_at: earlier, end_reason: 'owner' as const } : {};
      await db
        .updateTable('recovery_sessions')
        .set({ ...dates, ...declined, ...ended })
        .where('id', '=', id)
        .execute();
      ids.set(id, one);
    }
    const shown = new Map(
      (
        await cloud.call<(Shown & { end_reason: string | null; ended_at: string | null })[]>(
          `GET /api/v1/sites/${site}/recovery_sessions?limit=200`,
          { token: owner.token },
        )
      ).body.map((one) => [one.id, one]),
    );
    for (const [id, one] of ids)
      expect([shown.get(id)?.state, shown.get(id)?.end_reason], JSON.stringify(one)).toEqual(stateOf(one));
    // None has ended at a moment that is still to come.
    expect([...shown.values()].filter(({ ended_at: at }) => at !== null && new Date(at) > now)).toEqual([]);
    const withState = (...states: string[]) =>
      [...ids].flatMap(([id, one]) => (states.includes(stateOf(one)[0]) ? [id] : []));

    const mailed: number[] = [];
    const mail: Pick<MailService, 'enqueue'> = {
      enqueue: async (_tx, job) => void (job.kind === 'recovery' && mailed.push(job.sessionId)),
    };
    const active = await activeRecoverySessions({ db, clock }, site);
    expect(active.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(withState('active'));

    const isConcluded = async () => {
      const query = db
        .selectFrom('recovery_sessions')
        .select('id')
        .where('site_id', '=', site)
        .where('is_concluded', '=', true);
      return (await query.orderBy('id').execute()).map(({ id }) => id);
    };
    await concludeSessions({ db, clock, mail });
    const over = withState('declined', 'ended', 'expired');
    expect(await isConcluded()).toEqual(over);
    expect([...new Set(mailed.filter((id) => ids.has(id)))].toSorted((a, b) => a - b)).toEqual(over);
    const recorded = await sql<{
      id: number;
      reason: string;
    }>`select (details ->> 'recovery_session')::int as id,
      details ->> 'end_reason' as reason from audit_events
      where action = 'recovery_session.expired' and site_id = ${site} order by 1`.execute(db);
    expect(recorded.rows).toEqual(
      [...ids].flatMap(([id, one]) =>
        ['time', 'access_lost'].includes(stateOf(one)[1] ?? '') ? [{ id, reason: stateOf(one)[1] }] : [],
      ),
    );
    const ended = await db
      .transaction()
      .execute((tx) =>
        endRecoverySessions(tx, sql`sites.id = ${site}`, { reason: 'support', by: null }, SERVICE, now),
      );
    expect(ended.toSorted((a, b) => a - b)).toEqual(withState('requested', 'active'));
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
    expect(await list(`site_id:${site} opened_after:2100-01-01`)).toEqual([]);
    for (const unreadable of ['state:open', 'site_id:mine', 'opened_after:then'])
      expect(await list(`site_id:${site} ${unreadable}`), unreadable).toEqual([]);
    const second = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
    const ticket = await cloud.make.ticket(owner.id, { organizationId: organization, siteId: second.id });
    const about = (await open(clerk.token, { ticket_id: ticket }, second.id)).body.id;
    expect(await list(`ticket_id:${ticket}`)).toEqual([about]);
    expect(await list('', owner.token)).toEqual([]);

    const operator = await cloud.make.user({ staff: true });
    const ofOperators = (await open(operator.token)).body.id;
    expect(await list(`site_id:${site}`, operator.token)).toEqual([ofOperators, id]);
    expect(await list(`site_id:${site} organization_id:none`, operator.token)).toEqual([ofOperators]);
    expect(await list(`organization_id:${organization} site_id:${site}`, operator.token)).toEqual([id]);
    expect(await list(`site_id:${site}`)).toEqual([id]);
    expect(await list(`site_id:${site} organization_id:none`)).toEqual([]);
  });

  it('each step is recorded with its facts, and mailed to household and requester except the one who took it', async () => {
    const [admin, member] = [await cloud.make.user(), await cloud.make.user()];
    await cloud.make.member(site, admin.id, 'admin');
    await cloud.make.member(site, member.id, 'member');
    // Owners and admins of other sites are not concerned.
    await cloud.make.member((await cloud.make.site()).id, (await cloud.make.user()).id, 'admin');
    const people: Record<number, string> = { [owner.id]: 'owner', [admin.id]: 'admin', [clerk.id]: 'clerk' };
    const ids: number[] = [];
    const steps: [string, object][] = [];
    const mailed = async (id: number) => {
      const { rows } = await sql<{ event: string; userId: number }>`select payload ->> 'event' as event,
        (payload ->> 'userId')::int as "userId" from deliveries
        where kind = 'mail' and (payload ->> 'sessionId')::int = ${id}`.execute(cloud.db);
      return rows.map(({ event, userId }) => `${event} ${people[userId] ?? userId}`).toSorted();
    };
    const facts = (id: number, hours: number) => ({
      ...{ recovery_session: id, access: 'diagnose', hours, reason: REASON },
    });
    const later = (hours: number) => new Date(cloud.clock.now() + hours * HOUR_MS).toISOString();
    const session = await signIn(owner);

    const { body: first } = await open(clerk.token, { hours: 2 });
    steps.push(['requested', facts(first.id, 2)]);
    await act(first.id, 'approve', session);
    steps.push(['approved', { ...facts(first.id, 2), expires_at: later(2) }]);
    await join(clerk.token);
    steps.push(['joined', { recovery_session: first.id, access: 'diagnose' }]);
    await act(first.id, 'extend', session, { hours: 1 });
    steps.push(['extended', { ...facts(first.id, 2), expires_at: later(3) }]);
    await end(first.id, admin.token);
    steps.push(['ended', { recovery_session: first.id, end_reason: 'owner' }]);
    expect(await mailed(first.id)).toEqual([
      ...['asked admin', 'asked owner', 'ended clerk', 'ended owner', 'extended admin', 'extended clerk'],
      ...['opened admin', 'opened clerk'],
    ]);

    const { body: second } = await open(clerk.token);
    steps.push(['requested', facts(second.id, 24)]);
    await act(second.id, 'decline', session);
    steps.push(['declined', facts(second.id, 24)]);
    expect(await mailed(second.id)).toEqual([
      'asked admin',
      'asked owner',
      'declined admin',
      'declined clerk',
    ]);

    const { body: third } = await open(clerk.token);
    steps.push(['requested', facts(third.id, 24)]);
    await end(third.id, clerk.token);
    steps.push(['ended', { recovery_session: third.id, end_reason: 'support' }]);
    // A request that is withdrawn gave no access.
    expect(await mailed(third.id)).toEqual(['asked admin', 'asked owner']);

    const { body: byProgram } = await open(owner.token);
    steps.push(['requested', facts(byProgram.id, 24)]);
    await act(byProgram.id, 'decline', session);
    steps.push(['declined', facts(byProgram.id, 24)]);
    const ofProgram = await mailed(byProgram.id);
    expect(ofProgram.slice(0, 2)).toEqual(['askedByProgram admin', 'askedByProgram owner']);

    const ticket = await cloud.make.ticket(owner.id, { organizationId: organization, siteId: site });
    const { body: fourth } = await open(session, { ticket_id: ticket });
    steps.push(['opened', { ...facts(fourth.id, 24), ticket, expires_at: later(24) }]);
    // Another session than the one that the clerk joined before.
    await join(clerk.token);
    steps.push(['joined', { recovery_session: fourth.id, access: 'diagnose' }]);
    await end(fourth.id, clerk.token);
    steps.push(['ended', { recovery_session: fourth.id, end_reason: 'support' }]);
    expect(await mailed(fourth.id)).toEqual(['ended admin', 'ended owner', 'opened admin']);
    ids.push(first.id, second.id, third.id, fourth.id);

    const { rows } = await sql<{ action: string; details: object }>`select action, details from audit_events
      where site_id = ${site} and action like 'recovery_session.%' order by id`.execute(cloud.db);
    expect(rows).toEqual(steps.map(([what, details]) => ({ action: `recovery_session.${what}`, details })));
    // Nothing is left for the end by itself, which would mail it again.
    const unconcluded = await cloud.db
      .selectFrom('recovery_sessions')
      .select('id')
      .where('id', 'in', ids)
      .where('is_concluded', '=', false)
      .execute();
    expect(unconcluded).toEqual([]);
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
    (
      await cloud.call<{ kind: string }[]>(`GET /api/v1/sites/${site}/recovery_sessions/${id}/events`, {
        token: owner.token,
      })
    ).body;

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

  it('a device is believed the participants, and moments before now, alone', async () => {
    const { id, operator, event, report } = await registered();
    const colleague = await cloud.make.user({ staff: true });
    const now = cloud.clock.now();
    const kind = 'configuration_read';
    const earlier = new Date(now - HOUR_MS).toISOString();
    const late = new Date(now + HOUR_MS).toISOString();
    const events = [
      event('ours', { kind, at: earlier }),
      event('an owner', { kind, user_id: owner.id }),
      event('a colleague who did not join', { kind, user_id: colleague.id }),
      event('nobody', { kind, user_id: 2_000_000_000 }),
      event('no id', { kind, user_id: '7' }),
      event('none', { kind, user_id: null }),
      event('late', { kind, at: late }),
      event('of a newer device', { kind: 'made_coffee' }),
      event('long', { kind, subject: `${'x'.repeat(199)}\u{1F600}` }),
    ];
    const wrong = [
      event('x'.repeat(65), { kind }),
      event('join', { kind: 'joined', user_id: colleague.id }),
      event('unreadable', { kind: 'Made coffee' }),
      event('kindless', { kind: null }),
      event('never', { kind, at: 'yesterday' }),
      event('year 10000', { kind, at: '+010000-01-01T00:00:00Z' }),
      event('session', { kind, session_id: String(id) }),
    ];
    const { body } = await report({ access: 'ask', ended: [], events: [...wrong, ...events] });
    expect(body).toMatchObject({ support: { received: events.map(({ id: reported }) => reported) } });
    const stored = await cloud.db
      .selectFrom('recovery_session_events')
      .select(['report_id', 'user_id', 'at', 'subject'])
      .where('session_id', '=', id)
      .where('kind', '<>', 'joined')
      .orderBy('id')
      .execute();
    const at = new Date(now);
    expect(stored).toEqual([
      { report_id: 'ours', user_id: operator.id, at: new Date(earlier), subject: null },
      { report_id: 'an owner', user_id: null, at, subject: null },
      { report_id: 'a colleague who did not join', user_id: null, at, subject: null },
      { report_id: 'nobody', user_id: null, at, subject: null },
      { report_id: 'no id', user_id: null, at, subject: null },
      { report_id: 'none', user_id: null, at, subject: null },
      { report_id: 'late', user_id: operator.id, at, subject: null },
      { report_id: 'of a newer device', user_id: operator.id, at, subject: null },
      { report_id: 'long', user_id: operator.id, at, subject: `${'x'.repeat(199)}\uFFFD` },
    ]);
    expect(await show(id)).toMatchObject({ changes: 0 });
    expect((await eventsOf(id)).filter(({ kind }) => kind === 'made_coffee')).toHaveLength(1);
  });

  it('changes of one session that succeeded are counted, and nothing else', async () => {
    const { id, event, report } = await registered();
    const changing = ['configuration_changed', 'device_restarted', 'password_removed', 'setting_written'];
    const reading = [
      'configuration_read',
      'links_read',
      'settings_log_read',
      'diagnostics_read',
      'probe_started',
    ];
    const events = [...changing, ...reading].flatMap((kind) => [
      event(kind, { kind }),
      event(`refused ${kind}`, { kind, succeeded: false }),
    ]);
    await report({ access: 'ask', ended: [], events });
    expect(await show(id)).toMatchObject({ changes: changing.length });
    const { body: other } = await open(
      clerk.token,
      {},
      (await cloud.make.site({ organizationId: organization })).id,
    );
    expect(other).toMatchObject({ changes: 0 });
  });

  it('a hundred events of a report are taken, and the device sends the others again', async () => {
    const { event, report } = await registered();
    const kind = 'links_read';
    const events = Array.from({ length: 101 }, (_, index) => event(`e${index}`, { kind }));
    const { body } = await report({ access: 'ask', ended: [], events });
    expect(body).toMatchObject({ support: { received: events.slice(0, 100).map(({ id }) => id) } });
  });

  it('a setting that support writes is an event of the site, once', async () => {
    const { event, report } = await registered();
    const at = new Date(cloud.clock.now()).toISOString();
    const kind = 'setting_written';
    const seller = await cloud.make.organization();
    await cloud.db.updateTable('sites').set({ organization_id: seller }).where('id', '=', site).execute();
    const events = [
      event('s1', { kind, subject: 'battery_1/max_charge_power = 3000' }),
      event('s2', { kind, subject: 'inverter_1/export_limit = 0', succeeded: false }),
      event('s3', { kind, subject: 'inverter_1/name = a = b' }),
      event('s4', { kind, subject: 'inverter_1/name' }),
      event('s5', { kind, subject: null }),
    ];
    for (let i = 0; i < 2; i++) await report({ access: 'ask', ended: [], events });
    const written = await cloud.db
      .selectFrom('events')
      .select(['data', 'organization_id'])
      .where('site_id', '=', site)
      .where('type', '=', 'setting.written')
      .orderBy('id')
      .execute();
    expect(new Set(written.map((one) => one.organization_id))).toEqual(new Set([seller]));
    expect(written.map(({ data }) => data)).toEqual([
      { topic: 'battery_1/max_charge_power', value: '3000', outcome: 'written', written_at: at },
      { topic: 'inverter_1/export_limit', value: '0', outcome: 'failed', written_at: at },
      { topic: 'inverter_1/name', value: 'a = b', outcome: 'written', written_at: at },
      { topic: 'inverter_1/name', value: null, outcome: 'written', written_at: at },
      { topic: null, value: null, outcome: 'written', written_at: at },
    ]);
  });

  it('an end on the device ends the session, and reports about other sites are left out', async () => {
    const other = await registered();
    const { id, event, report } = await registered();
    const foreign = event('b', { session_id: other.id });
    const beside = await cloud.make.recoverySession(site, null, { isActive: true });
    const { body } = await report({ access: 'ask', ended: [id, other.id], events: [foreign] });
    expect(body).toMatchObject({ support: { sessions: [{ id: beside }] } });
    expect(await show(beside)).toMatchObject({ state: 'active' });
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
