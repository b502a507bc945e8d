import { EVENT_TYPES, type ServiceEvent } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Scene, setScene } from '../../../test/sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { recordAudit } from '../../db/audit.ts';
import { appendEvents, type NewEvent } from '../../db/events.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';
import { endOfFeed, nextEvents, positionBefore } from './feed.ts';
import { EventFollower } from './follower.ts';
import { positionOf, presentEvent } from './position.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let scene: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
  scene = await setScene(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const read = async (token: string, query = '', path = '/events') => {
  await transactionsEnded();
  const { status, body } = await cloud.call<ServiceEvent[]>(`GET /api/v1${path}${query}`, { token });
  expect(status).toBe(200);
  return body;
};

/** The feed stops before transactions that have not ended: those of other tests, on the same server, too. */
async function transactionsEnded(): Promise<void> {
  const { rows } = await sql<{ next: string }>`select pg_current_xact_id()::text as next`.execute(cloud.db);
  await vi.waitFor(async () => {
    const { rows: ended } = await sql<{ all: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.next}::xid8 as all`.execute(cloud.db);
    expect(ended).toEqual([{ all: true }]);
  }, PATIENCE);
}
const PATIENCE = { timeout: 20_000, interval: 10 };

const eventOf = (data: Record<string, unknown>, event: Partial<NewEvent>): NewEvent => ({
  ...{ type: 'alert.raised', at: new Date(cloud.clock.now()), data },
  ...event,
});

const add = (siteId: number, data: Record<string, unknown>, db = cloud.db) =>
  appendEvents(db, [eventOf(data, { siteId })]);

/** The id of an event of a site, behind which the events of a test are. */
async function markedPlace(siteId: number, token: string): Promise<string> {
  await add(siteId, { isMark: true });
  return (await read(token)).at(-1)?.id ?? '';
}

it('a change of the members of a site is an event, with the account that it is about and who made it', async () => {
  const { site, owner, guest, organization } = scene;
  const removed = await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: owner.token });
  expect(removed.status).toBe(204);
  const event = {
    id: expect.stringMatching(/^\d+-\d+-\d+$/),
    type: 'site_member.removed',
    at: new Date(cloud.clock.now()).toISOString(),
    site_id: site,
    organization_id: organization,
    user_id: guest.id,
    data: { actor_id: owner.id, from: 'member', to: null },
  };
  expect(await read(owner.token)).toEqual([event]);
});

it('an event has neither the names nor the addresses of its record in the audit log', async () => {
  const { site, owner, member } = await setScene(cloud);
  const actor = { userId: owner.id, tokenId: null, via: 'api', address: '203.0.113.7' } as const;
  const person = { first_name: 'Peregrine', last_name: 'Private', email: 'peregrine@example.org' };
  await recordAudit(cloud.db, actor, new Date(cloud.clock.now()), {
    ...{ action: 'site_member.added', siteId: site, userId: member.id },
    details: { from: null, to: 'member', ...person, name: 'Peregrine', phone_number: '+44 20 7946 0018' },
  });
  const events = await read(owner.token, '?type=site_member.added');
  expect(events.map(({ data }) => data)).toEqual([{ actor_id: owner.id, from: null, to: 'member' }]);
  expect(JSON.stringify(events)).not.toMatch(/Peregrine|203\.0\.113\.7/i);
});

it('each reader gets the events that it may know of, and no other', async () => {
  const { organization, site, owner, admin, member, stranger, operator, tokens } = await setScene(cloud);
  const { organization: elsewhere, site: otherSite } = await setScene(cloud);
  const [mark, otherMark] = [
    await markedPlace(site, owner.token),
    await markedPlace(otherSite, operator.token),
  ];
  const partner = await cloud.make.organization();
  await cloud.make.share(partner, site);
  const [here, there] = [
    { siteId: site, organizationId: organization },
    { siteId: otherSite, organizationId: elsewhere },
  ];
  const events: Readonly<Record<string, Partial<NewEvent>>> = {
    alert: here,
    setting: { type: 'setting.written', ...here },
    elsewhere: there,
    'setting elsewhere': { type: 'setting.written', ...there },
    team: { type: 'organization_member.added', organizationId: organization, userId: stranger.id },
    order: { type: 'order.created', userId: member.id },
    'order here': { type: 'order.paid', userId: member.id, organizationId: organization },
  };
  await appendEvents(
    cloud.db,
    Object.entries(events).map(([name, event]) => eventOf({ name }, event)),
  );
  const tokenOf = (userId: number, options: Parameters<typeof cloud.make.token>[1]) =>
    cloud.make.token(userId, options);
  const single = { kind: 'oauth', scopes: ['sites:read_single'] } as const;
  const ofOrganization = `/organizations/${organization}/events`;
  const readers: readonly [string, string, readonly string[], path?: string][] = [
    ['owner', owner.token, ['alert', 'setting']],
    ['admin', admin.token, ['alert', 'setting']],
    ['member', member.token, ['alert', 'order', 'order here']],
    [
      'session of the member',
      await tokenOf(member.id, { kind: 'session' }),
      ['alert', 'order', 'order here'],
    ],
    ['stranger, of whom the team has an event', stranger.token, ['team']],
    ['customer', tokens.customer, []],
    ["organization's owner", tokens["organization's owner"], ['alert', 'setting']],
    ["organization's admin", tokens["organization's admin"], ['alert', 'setting']],
    ["organization's employee", tokens["organization's employee"], ['alert']],
    ["partner's admin", (await cloud.make.employee(partner, 'admin')).token, ['alert']],
    ["another organization's admin", tokens["another organization's admin"], []],
    ['operator', operator.token, Object.keys(events)],
    ['operator for the organization', tokens['operator for the organization'], ['alert', 'setting']],
    ['operator for another organization', tokens['operator for another organization'], []],
    ['operator for a site', await tokenOf(operator.id, { siteId: site }), ['alert', 'setting']],
    ['owner for a partner', await tokenOf(owner.id, { organizationId: partner }), ['alert']],
    ['owner for another organization', tokens['owner for another organization'], []],
    [
      'member for the organization',
      await tokenOf(member.id, { organizationId: organization }),
      ['alert', 'order here'],
    ],
    ['member for another organization', await tokenOf(member.id, { organizationId: elsewhere }), []],
    [
      'application with the site of the owner',
      await tokenOf(owner.id, { ...single, siteId: site }),
      ['alert'],
    ],
    ['application with another site', await tokenOf(owner.id, { ...single, siteId: otherSite }), []],
    [
      'application of the member',
      await tokenOf(member.id, { kind: 'oauth', scopes: ['sites:read_all'] }),
      ['alert'],
    ],
    [
      'application of the operator',
      await tokenOf(operator.id, { kind: 'oauth', scopes: ['sites:read_all'] }),
      ['alert', 'elsewhere'],
    ],
    [
      'feed of the organization',
      tokens["organization's admin"],
      ['alert', 'setting', 'team', 'order here'],
      ofOrganization,
    ],
  ];
  const ids = (await read(operator.token, `?after=${otherMark}`)).map(({ id }) => id);
  expect(ids).toHaveLength(Object.keys(events).length);
  const seen: [string, unknown[]][] = [];
  for (const [reader, token, , path] of readers) {
    const page = await read(token, `?after=${mark}`, path);
    seen.push([reader, page.filter(({ id }) => ids.includes(id)).map(({ data }) => data.name)]);
  }
  expect(seen).toEqual(readers.map(([reader, , expected]) => [reader, expected]));
});

it('a site sends events to those who were added to it once they accepted, and to those who look after it in any case', async () => {
  const { organization, site, owner, member } = await setScene(cloud);
  const [partner, elsewhere] = [await cloud.make.organization(), await cloud.make.organization()];
  await cloud.make.share(partner, site);
  const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
  const mark = await markedPlace(site, owner.token);
  await appendEvents(cloud.db, [eventOf({}, { siteId: site, organizationId: organization })]);
  interface Row {
    readonly who: string;
    readonly employer?: number;
    readonly isOperator?: boolean;
    /** The organization that the token is limited to. */
    readonly within?: number;
    /** The site that the person has not accepted. */
    readonly pending?: number | null;
    readonly reads: boolean;
  }
  const ROWS: readonly Row[] = [
    { who: 'a member who accepted', pending: null, reads: true },
    { who: 'a member who has not accepted another site', pending: otherSite, reads: true },
    { who: 'a new member', reads: false },
    { who: 'a new member with a token of the organization', within: organization, reads: false },
    { who: 'an employee of the organization', employer: organization, reads: true },
    { who: 'an employee of a partner', employer: partner, reads: true },
    { who: 'an employee of another organization', employer: elsewhere, reads: false },
    {
      who: 'an employee of a partner with a token of the organization',
      ...{ employer: partner, within: organization, reads: false },
    },
    { who: 'an operator', isOperator: true, reads: true },
    {
      who: 'an operator with a token of the organization',
      isOperator: true,
      within: organization,
      reads: true,
    },
  ];
  const found: Row[] = [];
  for (const { reads: _, ...row } of ROWS) {
    const { employer, isOperator = false, within = null, pending = site } = row;
    const { id } = await cloud.make.user({ staff: isOperator });
    await cloud.make.member(site, id, 'member');
    if (employer !== undefined)
      await cloud.db
        .insertInto('organization_members')
        .values({ organization_id: employer, user_id: id, role: 'member' })
        .execute();
    const names = { email: 'new@example.org', first_name: 'New', last_name: 'Member' };
    const values = { ...names, user_id: id, invited_by: owner.id, created_at: new Date(cloud.clock.now()) };
    for (const userId of [id, member.id])
      if (pending !== null)
        await cloud.db
          .insertInto('site_invitations')
          .values({ ...values, site_id: pending, user_id: userId })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    const token = await cloud.make.token(id, { organizationId: within });
    found.push({ ...row, reads: (await read(token, `?type=alert.raised&after=${mark}`)).length > 0 });
  }
  expect(found).toEqual(ROWS);
});

it('the feed of an organization is read by its owners and admins and by operators', async () => {
  const { organization, tokens } = await setScene(cloud);
  const ROWS: readonly (readonly [keyof typeof tokens, number])[] = [
    ["organization's owner", 200],
    ["organization's admin", 200],
    ['operator', 200],
    ['operator for the organization', 200],
    ["organization's employee", 403],
    ["another organization's admin", 403],
    ['customer', 403],
    ['owner', 403],
    ['stranger', 403],
    ['operator for another organization', 403],
  ];
  const statusOf = async (token: string, id = organization) =>
    (await cloud.call(`GET /api/v1/organizations/${id}/events`, { token })).status;
  const found: unknown[] = [];
  for (const [who] of ROWS) found.push([who, await statusOf(tokens[who])]);
  expect(found).toEqual(ROWS);
  expect(await statusOf(tokens.operator, 2_000_000_000)).toBe(404);
});

it('an account has no event of a role that it had not accepted', async () => {
  const { id, token } = await cloud.make.user();
  const added = (data: Record<string, unknown>) => eventOf(data, { type: 'site_member.added', userId: id });
  await appendEvents(cloud.db, [
    added({ n: 1, pending: true }),
    added({ n: 2, pending: false }),
    added({ n: 3 }),
  ]);
  expect((await read(token)).map(({ data }) => data.n)).toEqual([2, 3]);
});

it('a reader that goes on after the last event reads each event once', async () => {
  const { site, owner } = await setScene(cloud);
  for (let n = 1; n <= 7; n++) await add(site, { n });
  const numbers: unknown[] = [];
  let after = '';
  for (let events = await read(owner.token, '?limit=3'); events.length > 0; ) {
    numbers.push(...events.map(({ data }) => data.n));
    after = events.at(-1)?.id ?? '';
    events = await read(owner.token, `?limit=3&after=${after}`);
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await add(site, { n: 8 });
  expect(await read(owner.token, `?after=${after}`)).toMatchObject([{ data: { n: 8 } }]);
});

it('no event appears before one that was read already, when transactions end in another order than they began', async () => {
  const { site, owner } = await setScene(cloud);
  const read3 = () => read(owner.token, '?type=alert.raised');
  let commitFirst = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commitFirst = resolve;
  });
  let added = () => {};
  const isAdded = new Promise<void>((resolve) => {
    added = resolve;
  });
  const first = cloud.db.transaction().execute(async (tx) => {
    await add(site, { n: 1 }, tx);
    added();
    await mayCommit;
  });
  await isAdded;
  await add(site, { n: 2 });
  expect((await cloud.call(`GET /api/v1/events`, { token: owner.token })).body).toEqual([]);
  commitFirst();
  await first;
  expect((await read3()).map(({ data }) => data.n)).toEqual([1, 2]);
});

it('events are in the order of their transactions, not of their numbers, in every page of one', async () => {
  const { organization, site, owner, operator, tokens } = await setScene(cloud);
  const { id: second } = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
  const mark = await markedPlace(site, owner.token);
  cloud.clock.advance(1);
  const places: readonly Partial<NewEvent>[] = [{ siteId: site }, { siteId: second }, { userId: owner.id }];
  let n = 0;
  for (const earlier of places) {
    for (const later of places) {
      await cloud.db.transaction().execute(async (tx) => {
        // It begins first and inserts last.
        await sql`select pg_current_xact_id()`.execute(tx);
        n += 2;
        const of = { organizationId: organization };
        await appendEvents(cloud.db, [eventOf({ n }, { ...later, ...of })]);
        await appendEvents(tx, [eventOf({ n: n - 1 }, { ...earlier, ...of })]);
      });
    }
  }
  await transactionsEnded();
  const numbers = Array.from({ length: n }, (_, index) => index + 1);
  const readOneByOne = async (
    next: (after: string) => Promise<readonly ServiceEvent[]>,
  ): Promise<unknown[]> => {
    const found: unknown[] = [];
    let after = mark;
    for (let page = await next(after); page.length > 0; page = await next(after)) {
      found.push(...page.map(({ data }) => data.n));
      after = page.at(-1)?.id ?? '';
    }
    return found;
  };
  const readByApi = (token: string, path = '/events') =>
    readOneByOne(async (after) => {
      const route = `GET /api/v1${path}?limit=1&after=${after}`;
      return (await cloud.call<ServiceEvent[]>(route, { token })).body;
    });
  const ofOrganization = `/organizations/${organization}/events`;
  expect({
    owner: await readByApi(owner.token),
    operator: await readByApi(operator.token),
    organization: await readByApi(tokens["organization's admin"], ofOrganization),
    service: await readOneByOne(async (after) => {
      const position = positionOf(after);
      return position === undefined ? [] : (await nextEvents(cloud.db, position, 1)).map(presentEvent);
    }),
    replayed: (
      await nextEvents(cloud.db, await positionBefore(cloud.db, new Date(cloud.clock.now())), n)
    ).map(({ data }) => data.n),
  }).toEqual({
    owner: numbers,
    operator: numbers,
    organization: numbers,
    service: numbers,
    replayed: numbers,
  });
});

it('members of a site read its alerts, its presence and its energy, and who looks after it reads all', async () => {
  const { site, owner, member } = await setScene(cloud);
  const mark = await markedPlace(site, owner.token);
  await appendEvents(
    cloud.db,
    EVENT_TYPES.map((type) => eventOf({}, { type, siteId: site })),
  );
  const typesFor = async (token: string) =>
    (await read(token, `?limit=100&after=${mark}`)).map(({ type }) => type);
  expect(await typesFor(owner.token)).toEqual([...EVENT_TYPES]);
  expect(await typesFor(member.token)).toEqual([
    ...['alert.raised', 'alert.acknowledged', 'alert.cleared'],
    ...['site.online', 'site.offline', 'energy.day'],
  ]);
});

it('types and first parts of types select events for every reader', async () => {
  const { site, owner, guest, operator, organization, tokens } = await setScene(cloud);
  const mark = await markedPlace(site, owner.token);
  await appendEvents(cloud.db, [eventOf({}, { siteId: site, organizationId: organization })]);
  await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: owner.token });
  const readers: readonly (readonly [token: string, path?: string])[] = [
    [owner.token],
    [operator.token],
    [tokens["organization's admin"], `/organizations/${organization}/events`],
  ];
  for (const [token, path] of readers) {
    const types = async (type: string) =>
      (await read(token, `?after=${mark}&type=${type}`, path)).map((event) => event.type);
    expect(await types('alert')).toEqual(['alert.raised']);
    expect(await types('site_member.removed,alert.cleared')).toEqual(['site_member.removed']);
    expect(await types('alert,%20site_member,')).toEqual(['alert.raised', 'site_member.removed']);
    expect(await types('raised,site')).toEqual([]);
    expect(await types(',')).toEqual(['alert.raised', 'site_member.removed']);
  }
  // The account reads what is about it.
  expect(await read(guest.token, `?after=${mark}&type=alert`)).toEqual([]);
});

it('a reader whose place is from before the database was restored goes on by its time', async () => {
  const { site, owner } = await setScene(cloud);
  const startMs = cloud.clock.now();
  for (const n of [1, 2, 3]) {
    await add(site, { n });
    cloud.clock.advance(1_000);
  }
  const [, second, third] = (await read(owner.token)).map(({ id }) => id.split('-')) as [
    string[],
    string[],
    string[],
  ];
  const [AHEAD, LOST] = ['800000000000000000', '800000000000000001'];
  const places: readonly [string, readonly unknown[], readonly number[]][] = [
    ['an event that is known', second, [3]],
    ['a known event of a transaction with another number', [second[0], '1', second[2]], [3]],
    ['a known event of a transaction that is ahead', [second[0], AHEAD, second[2]], [3]],
    ['a lost event between two others', [startMs + 500, AHEAD, LOST], [2, 3]],
    ['a lost event of the same time as another', [startMs + 1_000, AHEAD, LOST], [2, 3]],
    ['a lost event whose number another one has now', [startMs + 500, AHEAD, third[2]], [2, 3]],
    ['a lost event after all', [startMs + 2_500, AHEAD, LOST], []],
    ['an event that is no longer kept', [startMs + 500, '1', '1'], [1, 2, 3]],
  ];
  const found: unknown[] = [];
  for (const [what, place] of places)
    found.push([what, (await read(owner.token, `?after=${place.join('-')}`)).map(({ data }) => data.n)]);
  expect(found).toEqual(places.map(([what, , numbers]) => [what, numbers]));
});

it('the end of the feed is before the events that follow, and so is a time that is still to come', async () => {
  const { site } = await setScene(cloud);
  await add(site, { n: 1 });
  await transactionsEnded();
  const nowMs = cloud.clock.now();
  const places = [await endOfFeed(cloud.db, nowMs), await positionBefore(cloud.db, new Date(nowMs + 1))];
  expect(places.map(({ atMs }) => atMs)).toEqual([nowMs, nowMs + 1]);
  await add(site, { n: 2 });
  await transactionsEnded();
  for (const place of places)
    expect((await nextEvents(cloud.db, place, 9)).map(({ data }) => data.n)).toEqual([2]);
});

it('a position that is no event, or older than events are kept, is refused with the reason', async () => {
  const { site, owner } = await setScene(cloud);
  const after = (id: string) => cloud.call(`GET /api/v1/events?after=${id}`, { token: owner.token });
  const longest = ['9'.repeat(15), '9'.repeat(19), '9'.repeat(18)];
  expect(await after(longest.join('-'))).toMatchObject({ status: 200, body: [] });
  const wrong = [
    ...['yesterday', '1-2', '1-2-3-4', 'x1-2-3', '1-2-3x', '-2-3', '1--3', '1-2-', 'a-2-3', '1-a-3', '1-2-a'],
    ...longest.map((_, index) => longest.map((part, at) => (at === index ? `${part}9` : part)).join('-')),
  ];
  for (const id of wrong) {
    const { status, body } = await after(id);
    expect([id, status, body.errors]).toEqual([id, 422, { after: ['is not the id of an event'] }]);
  }
  await add(site, {});
  const [event] = await read(owner.token, '?type=alert');
  cloud.clock.advance(30 * DAY_MS);
  expect((await after(event?.id ?? '')).status).toBe(200);
  cloud.clock.advance(1);
  const refused = await after(event?.id ?? '');
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain('begin without it');
  await new Housekeeping(cloud.db, cloud.clock, silentLogger).run();
  expect(await cloud.db.selectFrom('events').select('id').execute()).toEqual([]);
});

describe('a follower', () => {
  const RUNNING = new AbortController().signal;

  interface Followed {
    readonly follower: EventFollower;
    /** The numbers of the events of each transaction. */
    readonly taken: unknown[][];
  }

  const follow = (name: string, then?: () => Promise<void> | void): Followed => {
    const taken: unknown[][] = [];
    const follower = new EventFollower({
      ...{ db: cloud.db, name },
      take: async (_, events) => {
        taken.push(events.map(({ data }) => data.n));
        await then?.();
      },
    });
    return { follower, taken };
  };

  const isDue = async ({ follower }: Followed): Promise<boolean | undefined> => {
    const { rows } = await sql<{ due: boolean }>`select ${follower.isDue()} as due`.execute(cloud.db);
    return rows[0]?.due;
  };

  const add = async (...numbers: readonly number[]): Promise<void> => {
    await appendEvents(
      cloud.db,
      numbers.map((n) => eventOf({ n }, {})),
    );
    await transactionsEnded();
  };

  it('a follower takes the events after its first start, each once, and goes on where it was after a restart', async () => {
    const [one, other] = [follow('one'), follow('other')];
    await add(1);
    await one.follower.run(RUNNING);
    for (const { follower } of [one, other]) await follower.begin();
    expect(await isDue(one)).toBe(false);
    await add(2, 3);
    expect(await isDue(one)).toBe(true);
    await one.follower.run(RUNNING);
    expect(await isDue(one)).toBe(false);
    await add(4);
    await one.follower.begin();
    await one.follower.run(RUNNING);
    await one.follower.run(RUNNING);
    expect(one.taken).toEqual([[2, 3], [4]]);
    expect(await isDue(other)).toBe(true);
    await other.follower.run(RUNNING);
    expect(other.taken).toEqual([[2, 3, 4]]);
  });

  it('a follower takes events again after a failure, with nothing stored of it', async () => {
    const name = 'failing';
    let fails = true;
    const follower = new EventFollower({
      ...{ db: cloud.db, name },
      take: async (tx) => {
        await tx.updateTable('event_cursors').set({ name: 'renamed' }).where('name', '=', name).execute();
        if (fails) throw new Error('no place left');
        await tx.updateTable('event_cursors').set({ name }).where('name', '=', 'renamed').execute();
      },
    });
    await follower.begin();
    await add(1);
    await expect(follower.run(RUNNING)).rejects.toThrow('no place left');
    expect(await isDue({ follower, taken: [] })).toBe(true);
    fails = false;
    await follower.run(RUNNING);
    expect(await isDue({ follower, taken: [] })).toBe(false);
  });

  it('a follower leaves the events that another process takes to that one', async () => {
    const idle = follow('shared');
    const busy = follow('shared', () => idle.follower.run(RUNNING));
    await busy.follower.begin();
    await add(1, 2);
    await busy.follower.run(RUNNING);
    expect([busy.taken, idle.taken]).toEqual([[[1, 2]], []]);
  });

  it('a follower takes a thousand events in one transaction, and none after its end', async () => {
    const end = new AbortController();
    const [whole, ended] = [follow('whole'), follow('ended', () => end.abort())];
    for (const { follower } of [whole, ended]) await follower.begin();
    const numbers = Array.from({ length: 1_001 }, (_, index) => index);
    await add(...numbers);
    const batches = [numbers.slice(0, 1_000), numbers.slice(1_000)];
    await whole.follower.run(RUNNING);
    expect(whole.taken).toEqual(batches);
    for (let times = 1; times <= 2; times++) await ended.follower.run(end.signal);
    expect(ended.taken).toEqual(batches.slice(0, 1));
  });

  it('a follower has nothing to do while a transaction that began before the events has not ended', async () => {
    const follower = follow('patient');
    await follower.follower.begin();
    await cloud.db.transaction().execute(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx);
      await appendEvents(cloud.db, [eventOf({ n: 1 }, {})]);
      expect(await isDue(follower)).toBe(false);
      await follower.follower.run(RUNNING);
      expect(follower.taken).toEqual([]);
    });
    await transactionsEnded();
    expect(await isDue(follower)).toBe(true);
  });
});
