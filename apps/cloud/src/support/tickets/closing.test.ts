import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';
import { closeResolvedTickets } from './closing.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

function clean(): Promise<void> {
  const { db, clock } = cloud;
  return new Housekeeping(db, clock, silentLogger, [() => closeResolvedTickets({ db, clock })]).run();
}

it('a ticket closes 14 days after it was resolved, and its attachments are gone 180 days later', async () => {
  const organization = await cloud.make.organization();
  const { id: requester, token } = await cloud.make.user({ customerOf: organization });
  const resolved = await cloud.make.ticket(requester, { organizationId: organization, state: 'resolved' });
  const open = await cloud.make.ticket(requester);
  const files = [
    await cloud.make.attachment(resolved, requester),
    await cloud.make.attachment(open, requester),
  ];
  const state = async (id: number) =>
    (await cloud.call(`GET /api/v1/user/tickets/${id}`, { token })).body.state;
  const isThere = async (ticket: number, file: number | undefined) =>
    (await cloud.call(`GET /api/v1/user/tickets/${ticket}/attachments/${file}`, { token })).status === 200;

  cloud.clock.advance(14 * DAY_MS);
  await clean();
  expect(await state(resolved)).toBe('resolved');
  cloud.clock.advance(1);
  await Promise.all([clean(), clean()]);
  expect([await state(resolved), await state(open)]).toEqual(['closed', 'open']);
  const events = await cloud.db
    .selectFrom('audit_events')
    .select(['via', 'actor_id', 'organization_id', 'details'])
    .where('action', '=', 'ticket.closed')
    .execute();
  expect(events).toEqual([
    { via: 'service', actor_id: null, organization_id: organization, details: { ticket: resolved } },
  ]);

  cloud.clock.advance(180 * DAY_MS);
  await clean();
  expect(await isThere(resolved, files[0])).toBe(true);
  cloud.clock.advance(1);
  await clean();
  expect([await isThere(resolved, files[0]), await isThere(open, files[1])]).toEqual([false, true]);
  const { body } = await cloud.call(`GET /api/v1/user/tickets/${resolved}`, { token });
  expect(body).toMatchObject({ messages: [{ body: 'It is dark.', attachments: [] }] });
});

it('exactly the tickets that have been resolved for more than 14 days are closed, at any number of runs', async () => {
  const { id: requester } = await cloud.make.user();
  const resolved_at = new Date(cloud.clock.now() - 14 * DAY_MS - 1);
  const rows = {
    resolved: ['resolved', resolved_at, 'closed'],
    'resolved later': ['resolved', new Date(resolved_at.getTime() + 1), 'resolved'],
    open: ['open', resolved_at, 'open'],
    pending: ['pending', resolved_at, 'pending'],
    closed: ['closed', resolved_at, 'closed'],
  } as const;
  const ids = new Map<string, number>();
  for (const [name, [state, at]] of Object.entries(rows)) {
    const id = await cloud.make.ticket(requester, { state });
    const closed = state === 'closed' && { closed_at: resolved_at };
    await cloud.db
      .updateTable('tickets')
      .set({ resolved_at: at, ...closed })
      .where('id', '=', id)
      .execute();
    ids.set(name, id);
  }
  await Promise.all([clean(), clean()]);
  for (const [name, [, , state]] of Object.entries(rows)) {
    const ticket = await cloud.db
      .selectFrom('tickets')
      .select(['state', 'closed_at'])
      .where('id', '=', ids.get(name) ?? 0)
      .executeTakeFirst();
    const closedAt =
      name === 'closed' ? resolved_at : state === 'closed' ? new Date(cloud.clock.now()) : null;
    expect(ticket, name).toEqual({ state, closed_at: closedAt });
  }
});

it('an upload that no message has is deleted after an hour', async () => {
  const { token } = await cloud.make.user();
  await cloud.call('POST /api/v1/uploads?name=a.txt', { token, raw: 'x' });
  const count = async () => (await cloud.db.selectFrom('ticket_attachments').select('id').execute()).length;
  const before = await count();
  cloud.clock.advance(HOUR_MS);
  await clean();
  expect(await count()).toBe(before);
  cloud.clock.advance(1);
  await clean();
  expect(await count()).toBe(before - 1);
});
