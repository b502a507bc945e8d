import { SESSION_SCOPES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
let organization: number;
let clerk: TestUser;
let operator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  clerk = await cloud.make.employee(organization);
  operator = await cloud.make.user({ staff: true });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await cloud.make.user({ customerOf: organization });
});

interface ShownTicket {
  readonly id: number;
  readonly state: string;
  readonly awaiting: string | null;
  readonly waiting_since: string | null;
  readonly assignee: { readonly id: number } | null;
  readonly organization: { readonly id: number } | null;
  readonly messages: readonly { readonly body: string; readonly internal: boolean }[];
}

const request = async (token = customer.token, fields: object = {}) =>
  (
    await cloud.call<ShownTicket>('POST /api/v1/user/tickets', {
      token,
      body: { subject: 'No sun', body: 'It is dark.', ...fields },
    })
  ).body;
const show = async (id: number, token = clerk.token) =>
  (await cloud.call<ShownTicket>(`GET /api/v1/tickets/${id}`, { token })).body;
const showOwn = async (id: number, token = customer.token) =>
  (await cloud.call<ShownTicket>(`GET /api/v1/user/tickets/${id}`, { token })).body;
const reply = (id: number, body: object, token = clerk.token) =>
  cloud.call(`POST /api/v1/tickets/${id}/replies`, { token, body });
const answer = (id: number, body: string, token = customer.token) =>
  cloud.call(`POST /api/v1/user/tickets/${id}/replies`, { token, body: { body } });
const change = (id: number, body: object, token = clerk.token) =>
  cloud.call<ShownTicket>(`PATCH /api/v1/tickets/${id}`, { token, body });

async function found(q: string, token = clerk.token): Promise<number[]> {
  const query = new URLSearchParams({ q, limit: '200' });
  const { body } = await cloud.call<ShownTicket[]>(`GET /api/v1/tickets?${query}`, { token });
  return body.map(({ id }) => id);
}

describe('a conversation', () => {
  it('a ticket goes back and forth, and has whose turn it is and since when', async () => {
    const { id, ...opened } = await request();
    const requestedAt = new Date(cloud.clock.now()).toISOString();
    expect(opened).toMatchObject({
      state: 'open',
      awaiting: 'support',
      category: 'other',
      message_count: 1,
      organization: { id: organization },
      messages: [{ body: 'It is dark.', author: { id: customer.id, side: 'customer' } }],
    });
    expect(opened).not.toHaveProperty('assignee');

    cloud.clock.advance(MINUTE_MS);
    expect((await answer(id, 'Still dark.')).status).toBe(201);
    expect(await show(id)).toMatchObject({ awaiting: 'support', waiting_since: requestedAt, source: 'api' });

    cloud.clock.advance(MINUTE_MS);
    const answeredAt = new Date(cloud.clock.now()).toISOString();
    expect(await reply(id, { body: 'Wait for the morning.' })).toMatchObject({
      status: 201,
      body: { author: { id: clerk.id, side: 'support' }, internal: false },
    });
    expect(await show(id)).toMatchObject({
      state: 'pending',
      awaiting: 'customer',
      waiting_since: answeredAt,
      message_count: 3,
    });

    await answer(id, 'The sun is there.');
    expect(await showOwn(id)).toMatchObject({ state: 'open', awaiting: 'support' });
    const resolve = () => cloud.call(`POST /api/v1/user/tickets/${id}/resolve`, { token: customer.token });
    expect([(await resolve()).status, (await resolve()).status]).toEqual([200, 200]);
    expect(await show(id)).toMatchObject({ state: 'resolved', awaiting: null, waiting_since: null });

    await answer(id, 'It is dark again.');
    expect(await show(id)).toMatchObject({ state: 'open', awaiting: 'support', resolved_at: null });
  });

  it('a note is in no answer to the customer, whatever the path, the filter and the token', async () => {
    const { id } = await request();
    const before = JSON.stringify(await showOwn(id));
    cloud.clock.advance(MINUTE_MS);
    const noted = await reply(id, { body: 'Secret thought', internal: true });
    expect(noted).toMatchObject({ status: 201, body: { internal: true } });
    expect((await show(id)).messages.map(({ internal }) => internal)).toEqual([false, true]);

    expect(JSON.stringify(await showOwn(id))).toBe(before);
    const { token } = customer;
    for (const path of [
      `/tickets/${id}`,
      `/tickets/${id}/messages`,
      `/user/tickets/${id}/messages`,
      '/tickets',
      '/user/tickets',
    ])
      expect(JSON.stringify((await cloud.call(`GET /api/v1${path}`, { token })).body)).not.toContain(
        'Secret',
      );
    expect(await found('Secret', token)).toEqual([]);
    expect((await reply(id, { body: 'Mine', internal: true }, token)).status).toBe(403);
    expect((await reply(id, { body: 'Mine', state: 'resolved' }, token)).status).toBe(403);
  });

  it('a reply to a closed ticket opens another one, which continues it', async () => {
    const id = await cloud.make.ticket(customer.id, { organizationId: organization, state: 'closed' });
    const { status, body } = await answer(id, 'Dark again.');
    expect(status).toBe(201);
    const next = Number(body.ticket_id);
    expect(await show(next)).toMatchObject({ state: 'open', follow_up_of: id, subject: 'No sun' });
    expect(await show(id)).toMatchObject({ state: 'closed', message_count: 1 });
    const again = await answer(id, 'Dark again.');
    expect(again.body).toEqual(body);
  });

  it('a second click adds no message and opens no ticket, also at once', async () => {
    const [one, other] = await Promise.all([request(), request()]);
    expect(other.id).toBe(one.id);
    const [first, second] = await Promise.all([answer(one.id, 'Hello'), answer(one.id, 'Hello')]);
    expect(second.body).toEqual(first.body);
    expect(await showOwn(one.id)).toMatchObject({ message_count: 2 });
    cloud.clock.advance(MINUTE_MS);
    await answer(one.id, 'Hello');
    expect(await showOwn(one.id)).toMatchObject({ message_count: 3 });
  });
});

describe('states', () => {
  it.each([
    ['open', 'pending', 200],
    ['pending', 'open', 200],
    ['open', 'resolved', 200],
    ['pending', 'resolved', 200],
    ['resolved', 'open', 200],
    ['resolved', 'resolved', 200],
    ['resolved', 'pending', 422],
    ['open', 'closed', 422],
    ['resolved', 'closed', 422],
    ['closed', 'open', 422],
  ] as const)('support that makes a ticket that is %s %s is answered %i', async (from, to, status) => {
    const id = await cloud.make.ticket(customer.id, { organizationId: organization, state: from });
    const changed = await change(id, { state: to });
    expect(changed.status).toBe(status);
    if (status === 422)
      expect(changed.body).toEqual({ error: expect.stringContaining(`The ticket is ${from}`) });
    expect((await show(id)).state).toBe(status === 422 ? from : to);
  });

  it('a refusal has what is possible, and a reply in a wrong state adds no message', async () => {
    const id = await cloud.make.ticket(customer.id, { organizationId: organization, state: 'resolved' });
    const refused = { status: 422, body: { error: 'The ticket is resolved: it can become open' } };
    expect(await reply(id, { body: 'Hm', state: 'pending' })).toMatchObject(refused);
    expect((await show(id)).messages).toHaveLength(1);
    const closed = await cloud.make.ticket(customer.id, { organizationId: organization, state: 'closed' });
    expect((await reply(closed, { body: 'Hm' })).status).toBe(422);
    const resolved = await cloud.call(`POST /api/v1/user/tickets/${closed}/resolve`, {
      token: customer.token,
    });
    expect(resolved.status).toBe(422);
  });
});

describe('a ticket about an order', () => {
  const orderOf = async (userId: number, organizationId: number | null) => {
    const { rows } = await sql<{
      id: number;
    }>`insert into orders (number, user_id, organization_id, email, first_name,
      last_name, currency, subtotal, shipping, tax, total, prices_include_tax, tax_lines, state, payment_state, created_at, updated_at)
      values (${`T-${userId}-${organizationId}`}, ${userId}, ${organizationId}, 'x', 'x', 'x', 'EUR', 1, 0, 0, 1, true, '[]',
        'open', 'unpaid', now(), now()) returning id`.execute(cloud.db);
    return rows[0]?.id ?? 0;
  };

  it('a ticket has the order it is about, goes to its seller and is found by it', async () => {
    const seller = await cloud.make.organization();
    const orderId = await orderOf(customer.id, seller);
    const ticket = await request(customer.token, { order_id: orderId });
    const order = { id: orderId, number: `T-${customer.id}-${seller}` };
    expect(ticket).toMatchObject({ order, organization: { id: seller } });
    const seen = await cloud.make.employee(seller);
    expect(await show(ticket.id, seen.token)).toMatchObject({ order });
    expect(await found(`order_id:${orderId}`, seen.token)).toEqual([ticket.id]);
    expect(await found(`order_id:${orderId + 1}`, seen.token)).toEqual([]);
    const own = await orderOf(customer.id, null);
    expect((await request(customer.token, { order_id: own, subject: 'Own' })).organization).toBeNull();
  });

  it("another customer's order is refused at its field, like one that does not exist", async () => {
    const stranger = await cloud.make.user();
    for (const id of [await orderOf(stranger.id, organization), 2_000_000_000]) {
      expect(await request(customer.token, { order_id: id })).toEqual({
        errors: { order_id: ['must be one of your orders'] },
      });
    }
  });
});

it('a ticket that is opened again with its Idempotency-Key is the same one, and another body is refused', async () => {
  const open = (subject: string) =>
    cloud.call<ShownTicket>('POST /api/v1/user/tickets', {
      token: customer.token,
      headers: { 'idempotency-key': 'question-1' },
      body: { subject, body: 'It is dark.' },
    });
  const [first, second] = await Promise.all([open('No sun'), open('No sun')]);
  cloud.clock.advance(2 * MINUTE_MS);
  const third = await open('No sun');
  expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
  expect(new Set([first.body.id, second.body.id, third.body.id]).size).toBe(1);
  expect((await open('No moon')).status).toBe(422);
});

describe('who handles a ticket', () => {
  it('the organization of the site handles a ticket, or that of the customer, or else the operator', async () => {
    const stranger = await cloud.make.user();
    expect((await request(stranger.token)).organization).toBeNull();
    const { id: site } = await cloud.make.site({ ownerId: stranger.id, organizationId: organization });
    expect(await request(stranger.token, { site_id: site, subject: 'Site' })).toMatchObject({
      organization: { id: organization },
      site: { id: site },
    });
    const session = await cloud.make.token(customer.id, {
      kind: 'session',
      scopes: SESSION_SCOPES,
      organizationId: organization,
    });
    expect(await request(session)).toMatchObject({ organization: { id: organization } });
    expect((await request(clerk.token)).organization).toBeNull();
    const { id: foreign } = await cloud.make.site();
    expect(await request(customer.token, { site_id: foreign })).toEqual({
      errors: { site_id: ['must be a site that you see'] },
    });
  });

  it('a ticket is assigned to those who handle it alone, and goes to the operator without its assignee', async () => {
    const { id } = await request();
    const refused = { errors: { assignee_id: ['must be one of the handlers of the ticket'] } };
    expect((await change(id, { assignee_id: customer.id })).body).toEqual(refused);
    expect((await change(id, { assignee_id: clerk.id, priority: 'urgent' })).body).toMatchObject({
      assignee: { id: clerk.id },
      priority: 'urgent',
    });
    expect(await found('assignee:me priority:urgent')).toEqual([id]);
    const other = await cloud.make.organization();
    expect((await change(id, { organization_id: other })).status).toBe(403);
    expect((await change(id, { organization_id: null })).body).toMatchObject({
      organization: null,
      assignee: null,
    });
    expect((await cloud.call(`GET /api/v1/tickets/${id}`, { token: clerk.token })).status).toBe(404);
    expect((await showOwn(id)).organization).toBeNull();
    expect((await change(id, { organization_id: 2_147_483_647 }, operator.token)).status).toBe(422);
    expect((await change(id, { organization_id: organization }, operator.token)).status).toBe(200);
    expect((await change(id, { priority: 'low' }, customer.token)).status).toBe(403);
    const events = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'details', 'site_id', 'user_id'])
      .where(sql<boolean>`action like 'ticket.%'`)
      .where(sql<boolean>`details @> ${JSON.stringify({ ticket: id })}::jsonb`)
      .orderBy('id')
      .execute();
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['ticket.created', { ticket: id }],
      [
        'ticket.changed',
        { ticket: id, priority: { from: 'normal', to: 'urgent' }, assignee_id: { from: null, to: clerk.id } },
      ],
      [
        'ticket.changed',
        {
          ticket: id,
          organization_id: { from: organization, to: null },
          assignee_id: { from: clerk.id, to: null },
        },
      ],
      ['ticket.changed', { ticket: id, organization_id: { from: null, to: organization } }],
    ]);
  });

  it('each side assigns a ticket to its colleagues, who are listed by name, and to no one else', async () => {
    const colleague = await cloud.make.employee(organization, 'member', { firstName: 'Grace' });
    const other = await cloud.make.user({ staff: true, firstName: 'Alan' });
    const newcomer = await cloud.make.employee(organization, 'member', { confirmed: false });
    const { id } = await request();
    const handlers = async (token: string, query = '') =>
      (
        await cloud.call<{ id: number }[]>(`GET /api/v1/tickets/${id}/handlers?limit=200${query}`, { token })
      ).body.map((person) => person.id);
    const [ofClerk, ofOperator] = [await handlers(clerk.token), await handlers(operator.token)];
    expect(ofClerk).toEqual(expect.arrayContaining([clerk.id, colleague.id]));
    for (const stranger of [customer, operator, other, newcomer]) expect(ofClerk).not.toContain(stranger.id);
    expect(ofOperator).toEqual(expect.arrayContaining([clerk.id, colleague.id, operator.id, other.id]));
    expect(await handlers(clerk.token, '&offset=1')).toEqual(ofClerk.slice(1));

    const assign = async (userId: number, token: string) =>
      (await change(id, { assignee_id: userId }, token)).status;
    for (const stranger of [customer, other, newcomer])
      expect(await assign(stranger.id, clerk.token)).toBe(422);
    expect(await assign(colleague.id, clerk.token)).toBe(200);
    expect(await assign(other.id, operator.token)).toBe(200);
    // An assignee stays one in a change by those who could not have assigned it.
    expect((await change(id, { priority: 'low', assignee_id: other.id })).body).toMatchObject({
      assignee: { id: other.id },
    });
    await change(id, { organization_id: null }, operator.token);
    expect(await handlers(operator.token)).not.toContain(clerk.id);
    expect(await assign(clerk.id, operator.token)).toBe(422);
    expect(await assign(operator.id, other.token)).toBe(200);
  });

  it('a site of a ticket is one that its requester and the caller see', async () => {
    const { id } = await request();
    const { id: site } = await cloud.make.site({ ownerId: customer.id, organizationId: organization });
    const { id: elsewhere } = await cloud.make.site({ ownerId: customer.id });
    const { id: notTheirs } = await cloud.make.site({ organizationId: organization });
    expect((await change(id, { site_id: site })).body).toMatchObject({ site: { id: site } });
    expect((await change(id, { site_id: elsewhere })).status).toBe(422);
    expect((await change(id, { site_id: notTheirs })).status).toBe(422);
  });

  it('a customer who signed in at an organization sees a ticket that went on to the operator', async () => {
    const token = await cloud.make.token(customer.id, { organizationId: organization });
    const { id } = await request(token);
    await change(id, { organization_id: null });
    expect((await showOwn(id, token)).id).toBe(id);
  });
});

it('each account lists, reads and handles exactly the tickets that it requested or whose organization employs it', async () => {
  const { make, db } = cloud;
  const [a, b] = [organization, await make.organization()];
  const neighbour = await make.user({ customerOf: b });
  const clerkOfB = await make.employee(b);
  const boss = await make.employee(a, 'owner');
  const made: Record<string, number> = {
    'of A': await make.ticket(customer.id, { organizationId: a }),
    'of A, with the operator': await make.ticket(customer.id, { organizationId: a }),
    'of B': await make.ticket(neighbour.id, { organizationId: b }),
    'of the customer at B': await make.ticket(customer.id, { organizationId: b }),
    'of the operator': await make.ticket(neighbour.id),
    'of A by its own employee': await make.ticket(clerk.id, { organizationId: a }),
  };
  const withOperator = made['of A, with the operator'] ?? 0;
  await db.updateTable('tickets').set({ organization_id: null }).where('id', '=', withOperator).execute();
  const own = ['of A', 'of A, with the operator', 'of the customer at B'];
  const byClerk = ['of A by its own employee'];
  const ofA = ['of A', ...byClerk];
  const ofB = ['of B', 'of the customer at B'];
  /** Account, organization of its token, tickets that it handles, and those that it requested. */
  const table: [string, { id: number }, number | null, string[], string[]][] = [
    ['customer', customer, null, [], own],
    ['customer with a token of A', customer, a, [], own.slice(0, 2)],
    ['customer with a token of B', customer, b, [], own.slice(2)],
    ['employee of A', clerk, null, ofA, byClerk],
    ['employee of A with its token', clerk, a, ofA, byClerk],
    ['employee of A with a token of B', clerk, b, [], []],
    ['owner of A', boss, null, ofA, []],
    ['employee of B', clerkOfB, null, ofB, []],
    ['operator', operator, null, Object.keys(made), []],
    ['operator with a token of B', operator, b, ofB, []],
    ['stranger', await make.user(), null, [], []],
  ];
  const namesOf = (ids: readonly number[]) =>
    Object.keys(made).filter((name) => ids.includes(made[name] ?? 0));
  for (const [who, { id: userId }, organizationId, handled, requested] of table) {
    const token = await make.token(userId, { organizationId });
    const list = async (path: string) =>
      namesOf(
        (await cloud.call<ShownTicket[]>(`GET /api/v1${path}?limit=200`, { token })).body.map(({ id }) => id),
      );
    const allowed = async (route: (id: number) => string, body?: object) => {
      const names: string[] = [];
      for (const [name, id] of Object.entries(made))
        if ((await cloud.call(route(id), { token, body })).status === 200) names.push(name);
      return names;
    };
    const seen = Object.keys(made).filter((name) => handled.includes(name) || requested.includes(name));
    const sorted = (names: readonly string[]) => Object.keys(made).filter((name) => names.includes(name));
    expect(await list('/tickets'), who).toEqual(seen);
    expect(await allowed((id) => `GET /api/v1/tickets/${id}`), who).toEqual(seen);
    expect(await list('/user/tickets'), who).toEqual(sorted(requested));
    expect(await allowed((id) => `GET /api/v1/user/tickets/${id}`), who).toEqual(sorted(requested));
    const category = { category: 'other' };
    expect(await allowed((id) => `PATCH /api/v1/tickets/${id}`, category), who).toEqual(sorted(handled));
  }
});

describe('the list', () => {
  it('the last changed ticket is first, and words and keys find it', async () => {
    const person = await cloud.make.user({ customerOf: organization, lastName: 'Lovelace' });
    const make = (subject: string) => cloud.make.ticket(person.id, { subject, organizationId: organization });
    const [battery, invoice] = [await make('Battery is cold'), await make('Invoice')];
    cloud.clock.advance(MINUTE_MS);
    await reply(battery, { body: 'Warm it' });
    const of = (q: string) => found(`user_id:${person.id} ${q}`);
    expect(await of('')).toEqual([battery, invoice]);
    expect(await of('batt col')).toEqual([battery]);
    expect(await of('lovelace inv')).toEqual([invoice]);
    expect(await of(`${invoice}`)).toContain(invoice);
    expect(await of('state:PENDING')).toEqual([battery]);
    expect(await of('awaiting:support')).toEqual([invoice]);
    expect(await of('assignee:none category:other')).toEqual([battery, invoice]);
    expect(await of(`email:${person.email.toUpperCase()}`)).toEqual([battery, invoice]);
    expect(await of('site_id:1')).toEqual([]);
    const now = new Date(cloud.clock.now() - 1).toISOString();
    expect(await of(`updated_after:${now}`)).toEqual([battery]);
    expect(await of(`created_after:${now}`)).toEqual([]);
    expect(await of('state:nonsense')).toEqual([]);
  });

  it('an operator lists the tickets of one organization', async () => {
    const own = await cloud.make.ticket(customer.id, { organizationId: organization });
    await cloud.make.ticket(customer.id);
    const query = `GET /api/v1/tickets?organization_id=${organization}&q=user_id:${customer.id}`;
    const { body } = await cloud.call<ShownTicket[]>(query, { token: operator.token });
    expect(body.map(({ id }) => id)).toEqual([own]);
  });
});

describe('invalid input', () => {
  it.each([
    [{ subject: ' ' }, 'subject'],
    [{ body: ' \n' }, 'body'],
    [{ body: 'x'.repeat(20_001) }, 'body'],
    [{ subject: 'x'.repeat(201) }, 'subject'],
    [{ subject: 'a\nb' }, 'subject'],
    [{ category: 'sun' }, 'category'],
    [{ upload_ids: [1, 2_147_483_647] }, 'upload_ids'],
  ])('a ticket with %j is refused with the field', async (fields, field) => {
    const answered = await request(customer.token, fields);
    expect(answered).toEqual({ errors: { [field]: [expect.any(String)] } });
  });

  it('an account opens twenty tickets a day, and replies sixty times an hour', async () => {
    await request(customer.token, { subject: 'Number 1' });
    await cloud.multiplyCounts(19);
    expect(await request(customer.token, { subject: 'Number 20' })).toMatchObject({ state: 'open' });
    const body = { subject: 'One more', body: 'It is dark.' };
    const refused = await cloud.call('POST /api/v1/user/tickets', { token: customer.token, body });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const id = await cloud.make.ticket(customer.id);
    expect((await answer(id, 'Number 1')).status).toBe(201);
    await cloud.multiplyCounts(59);
    expect((await answer(id, 'Number 60')).status).toBe(201);
    expect((await answer(id, 'One more')).status).toBe(429);
  });
});
