import { MAX_ID } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLOUD_SECRET, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import { appendEvents } from '../../db/events.ts';
import { EventFollower } from '../events/service.ts';
import { storeMessages } from './intake.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
let ownerId: number;
let email: string;
let siteId: number;
beforeAll(async () => {
  // The watch would end the outage of a test, none of whose sites is offline.
  cloud = await startTestCloud({}, undefined, { lookIntervalMs: 50, presenceIntervalMs: 3_600_000 });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await cloud.db.deleteFrom('sites').execute();
  const owner = await cloud.make.user();
  ownerId = owner.id;
  email = owner.email;
  siteId = (await cloud.make.site({ ownerId, name: 'Barn' })).id;
});

const happens = (type: 'alert.raised' | 'alert.cleared', alertId: number, times = 1) =>
  cloud.db.transaction().execute(async (tx) => {
    const at = new Date(cloud.clock.now());
    await tx
      .updateTable('alerts')
      .set({ cleared_at: type === 'alert.cleared' ? at : null, times })
      .where('id', '=', String(alertId))
      .execute();
    await appendEvents(tx, [{ type, at, siteId, data: { alert_id: alertId, times } }]);
  });

async function raise(severity = 3): Promise<number> {
  const id = await cloud.make.alert(siteId, {
    rule: 'fault',
    kind: 'complaint',
    severity,
    topic: 'inverter_1/fault',
    detail: 'DC busbar',
  });
  await happens('alert.raised', id);
  return id;
}

const settings = (values: object, userId = ownerId) =>
  cloud.db
    .insertInto('notification_settings')
    .values({
      ...{ team_tags: [], escalation_minutes: null },
      ...{ user_id: userId, severity: 3, team_severity: null, outages: true, mail: true, digest: 'at_once' },
      ...{ quiet_from: null, quiet_until: null, time_zone: 'UTC', sealed_ntfy: null, sealed_telegram: null },
      ...values,
    })
    .execute();

/** All that has happened was taken, and no mail is under way. */
async function settled(): Promise<void> {
  const { rows } = await sql<{ last: string }>`select coalesce(max(id), 0) as last from events`.execute(
    cloud.db,
  );
  await expect
    .poll(
      async () => {
        const cursor = await cloud.db
          .selectFrom('event_cursors')
          .select('id')
          .where('name', '=', 'notifications')
          .executeTakeFirst();
        const due = await cloud.db
          .selectFrom('notifications')
          .select('id')
          .where('state', 'in', ['waiting', 'sending'])
          .where('due_at', '<=', new Date(cloud.clock.now()))
          .execute();
        const jobs = await sql`select from deliveries where due_at is not null`.execute(cloud.db);
        return Number(cursor?.id) >= Number(rows[0]?.last) && due.length + jobs.rows.length === 0;
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(true);
}

const subjects = async (to = email): Promise<string[]> => {
  await settled();
  return (await cloud.mails(to)).map(({ subject }) => subject);
};

const FAULT = 'Barn: Inverter 1 reports: DC busbar';

describe('an alert of a site', () => {
  it('the owner gets a mail when an alert begins, and one when it is over, with the way to its page', async () => {
    const id = await raise();
    const mail = await cloud.mail(email);
    expect(mail.subject).toBe(FAULT);
    expect(mail.text).toContain('Since June 21, 2026');
    expect(mail.text).toContain(`/sites/${siteId}/alerts`);
    await happens('alert.cleared', id);
    expect((await cloud.mail(email)).subject).toBe(`Barn: Over: ${FAULT.slice(6)}`);
  });

  it('the mail is in the language of the reader', async () => {
    await cloud.db.updateTable('users').set({ locale: 'de' }).where('id', '=', ownerId).execute();
    await raise();
    expect(await subjects()).toEqual(['Barn: Wechselrichter 1 meldet: DC busbar']);
  });

  it('an alert that returns gives two messages at most', async () => {
    const id = await raise();
    await cloud.mail(email);
    for (let times = 1; times <= 3; times++) {
      await happens('alert.cleared', id, times);
      await happens('alert.raised', id, times + 1);
    }
    expect(await subjects()).toHaveLength(2);
  });

  it('an alert that a person acknowledged before the mail was sent gives none', async () => {
    await settings({ digest: 'hourly' });
    const id = await raise();
    await settled();
    await cloud.db
      .updateTable('alerts')
      .set({ acknowledged_at: new Date(cloud.clock.now()), acknowledged_by: 'Ada' })
      .where('id', '=', String(id))
      .execute();
    cloud.clock.advance(60 * MINUTE_MS);
    expect(await subjects()).toEqual([]);
  });
});

describe('messages that wait', () => {
  it('the alerts of an hour are one mail at its end for those who chose so', async () => {
    await settings({ digest: 'hourly' });
    await raise();
    await cloud.clock.advance(MINUTE_MS);
    await raise();
    expect(await subjects()).toEqual([]);
    cloud.clock.advance(60 * MINUTE_MS);
    expect(await subjects()).toEqual(['Alerts: 2']);
  });

  it('alerts beyond those that a site gives messages about in an hour are one mail, ten minutes after the first', async () => {
    for (let n = 1; n <= 22; n++) await raise();
    const before = await subjects();
    cloud.clock.advance(11 * MINUTE_MS);
    expect((await subjects()).slice(before.length)).toEqual(['Barn: Further alerts: 2']);
    expect((await cloud.mails(email)).at(-1)?.text).toContain(`/sites/${siteId}/alerts`);
    const token = await cloud.make.token(ownerId, { kind: 'session' });
    const { body } = await cloud.call('GET /api/v1/user/notifications?limit=100', { token });
    const further = { kind: 'further', further_alerts: 2, site_id: siteId, alert_id: null };
    expect(body).toEqual(expect.arrayContaining([expect.objectContaining(further)]));
  });

  it('one mail lists fifty alerts', async () => {
    await settings({ digest: 'hourly' });
    for (let n = 1; n <= 51; n++) {
      if (n % 17 === 0) siteId = (await cloud.make.site({ ownerId })).id;
      await raise();
    }
    await settled();
    cloud.clock.advance(60 * MINUTE_MS);
    expect(await subjects()).toEqual(['Alerts: 50']);
  });

  it('messages wait for the end of quiet hours in the zone of the reader, and an alert that is over by then gives one', async () => {
    const [hour, minute] = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kathmandu',
      hour: 'numeric',
      minute: 'numeric',
    })
      .format(cloud.clock.now())
      .split(':')
      .map(Number);
    const now = (hour ?? 0) * 60 + (minute ?? 0);
    await settings({
      time_zone: 'Asia/Kathmandu',
      quiet_from: (now + 1_440 - 30) % 1_440,
      quiet_until: (now + 30) % 1_440,
    });
    const id = await raise();
    await raise();
    expect(await subjects()).toEqual([]);
    await happens('alert.cleared', id);
    cloud.clock.advance(29 * MINUTE_MS);
    expect(await subjects()).toEqual([]);
    cloud.clock.advance(2 * MINUTE_MS);
    expect(await subjects()).toEqual(['Alerts: 2']);
    expect((await cloud.mails(email))[0]?.text).toContain(`Barn: Over: ${FAULT.slice(6)}`);
  });
});

it('one click in a mail program ends the mails about alerts, and a token of no account ends none', async () => {
  const tokens = new UnsubscribeTokens({ used: CLOUD_SECRET, accepted: undefined });
  const token = tokens.of(ownerId);
  const unsubscribe = (of: string) =>
    cloud.call(`POST /api/v1/notification_mails/unsubscribe?token=${of}`, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const wrong = [token.replace(/^\d+/, '2147483647'), ...[0, MAX_ID, MAX_ID + 1].map((id) => tokens.of(id))];
  for (const one of wrong) expect((await unsubscribe(one)).status).toBe(404);
  const other = await cloud.make.user();
  for (const id of [ownerId, other.id]) await settings({ severity: 2 }, id);
  expect((await unsubscribe(token)).status).toBe(204);
  expect((await unsubscribe(token)).status).toBe(204);
  const chosen = await cloud.db
    .selectFrom('notification_settings')
    .select(['severity', 'mail'])
    .where('user_id', 'in', [ownerId, other.id])
    .orderBy('user_id')
    .execute();
  expect(chosen).toEqual([
    { severity: 2, mail: false },
    { severity: 2, mail: true },
  ]);
  const newcomer = await cloud.make.user();
  expect((await unsubscribe(tokens.of(newcomer.id))).status).toBe(204);
  await cloud.db.updateTable('sites').set({ owner_id: newcomer.id }).where('id', '=', siteId).execute();
  await raise();
  expect(await subjects(newcomer.email)).toEqual([]);
  await cloud.db.updateTable('sites').set({ owner_id: ownerId }).where('id', '=', siteId).execute();
  await raise();
  expect(await subjects()).toEqual([]);
});

it.each([
  ['a token', '?token=7.aB-_c', '#7.aB-_c'],
  ['no token', '', '#'],
  [
    'anything else',
    `?token=${encodeURIComponent('"><a href=//evil.example>#')}${'x'.repeat(300)}`,
    undefined,
  ],
])(
  'the address in a mail, opened in a browser, leads to a page and ends nothing: %s',
  async (_, query, hash) => {
    const token = new UnsubscribeTokens({ used: CLOUD_SECRET, accepted: undefined }).of(ownerId);
    await fetch(`${cloud.url}/api/v1/notification_mails/unsubscribe?token=${token}`);
    const address = `${cloud.url}/api/v1/notification_mails/unsubscribe${query}`;
    const answer = await fetch(address, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    const location = answer.headers.get('location') ?? '';
    expect(location).toMatch(/^\/unsubscribe#[\w.%-]*$/);
    if (hash !== undefined) expect(new URL(location, cloud.url).hash || '#').toBe(hash);
    await raise();
    expect(await subjects()).toHaveLength(1);
  },
);

describe('a team', () => {
  let organization: number;
  beforeEach(async () => {
    organization = await cloud.make.organization();
    await cloud.db
      .updateTable('sites')
      .set({ organization_id: organization, tags: ['North'] })
      .execute();
    await settings({ severity: null });
  });

  it('an alert that is not acknowledged in time reaches those who chose so, and one that is does not', async () => {
    const { id, email: theirs } = await cloud.make.employee(organization);
    await settings({ severity: null, escalation_minutes: 30 }, id);
    const known = await raise();
    await cloud.db
      .updateTable('alerts')
      .set({ acknowledged_at: new Date(cloud.clock.now()), acknowledged_by: 'Ada' })
      .where('id', '=', String(known))
      .execute();
    await raise();
    cloud.clock.advance(29 * MINUTE_MS);
    expect(await subjects(theirs)).toEqual([]);
    cloud.clock.advance(2 * MINUTE_MS);
    expect((await cloud.mail(theirs)).subject).toBe(FAULT);
    cloud.clock.advance(10 * MINUTE_MS);
    expect(await subjects(theirs)).toEqual([FAULT]);
  });
});

it('an outage is one mail to each manager of the organization, and one when it is over', async () => {
  const organization = await cloud.make.organization();
  const manager = await cloud.make.employee(organization, 'admin');
  const clerk = await cloud.make.employee(organization, 'member');
  const at = new Date(cloud.clock.now());
  const { id } = await cloud.db
    .insertInto('outages')
    .values({ organization_id: organization, began_at: at, ended_at: null, sites: 10_000 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const data = { outage_id: Number(id), sites: 10_000 };
  await appendEvents(cloud.db, [{ type: 'outage.began', at, organizationId: organization, data }]);
  expect((await cloud.mail(manager.email)).subject).toContain('Outage, affected sites: 10000');
  await appendEvents(cloud.db, [{ type: 'outage.ended', at, organizationId: organization, data }]);
  expect((await cloud.mail(manager.email)).subject).toContain('Over: Outage');
  expect(await subjects(clerk.email)).toEqual([]);
});

it('processes that take events at the same time store each message once', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 20; i++) ids.push(await raise());
  const now = new Date(cloud.clock.now());
  const follower = new EventFollower({
    ...{ db: cloud.db, name: 'notifications' },
    take: (tx, events) => storeMessages(tx, events, now),
  });
  await Promise.all(Array.from({ length: 4 }, () => follower.run(new AbortController().signal)));
  await settled();
  const stored = await cloud.db
    .selectFrom('notifications')
    .select('alert_id')
    .where('alert_id', 'in', ids.map(String))
    .execute();
  expect(stored).toHaveLength(20);
});

it('an organization has a list of who is notified of its sites, for its managers alone', async () => {
  const organization = await cloud.make.organization();
  const manager = await cloud.make.employee(organization, 'admin', { firstName: 'Mia', lastName: 'Manager' });
  const clerk = await cloud.make.employee(organization, 'member', { firstName: 'Cleo', lastName: 'Clerk' });
  const { id: chosen } = await cloud.make.site({ ownerId, name: 'Mill', organizationId: organization });
  const { id: shared } = await cloud.make.site({ ownerId, name: 'Kiln' });
  await cloud.make.share(organization, shared);
  await cloud.make.site({ ownerId, name: 'Not chosen', organizationId: organization });
  const { id: elsewhere } = await cloud.make.site({ ownerId, name: 'Shared elsewhere' });
  await cloud.make.share(await cloud.make.organization(), elsewhere);
  const choices = { muted_rules: ['own_rule', 'battery_low'], site_ids: [chosen, shared, elsewhere, siteId] };
  await settings(
    { team_severity: 2, team_tags: ['North'], escalation_minutes: 30, mail: false, ...choices },
    clerk.id,
  );
  await settings({ site_ids: [siteId] }, manager.id);
  const newcomer = await cloud.make.employee(organization, 'member', { firstName: 'Nora', lastName: 'New' });
  const other = await cloud.make.employee(organization, 'member', { firstName: 'Olga', lastName: 'Other' });
  await settings({}, other.id);
  const list = ({ token }: { readonly token: string }) =>
    cloud.call(`GET /api/v1/organizations/${organization}/message_recipients`, { token });
  expect((await list(clerk)).status).toBe(403);
  expect((await list(manager)).body).toEqual([
    {
      ...{ user_id: clerk.id, name: 'Cleo Clerk', team_severity: 'warning', team_tags: ['North'] },
      ...{
        escalation_minutes: 30,
        muted_rules: ['battery_low'],
        chosen_sites: 2,
        outages: false,
        channels: [],
      },
    },
    {
      ...{ user_id: manager.id, name: 'Mia Manager', team_severity: null, team_tags: [] },
      ...{ escalation_minutes: null, muted_rules: [], chosen_sites: 0, outages: true, channels: ['mail'] },
    },
    ...[
      { user_id: newcomer.id, name: 'Nora New' },
      { user_id: other.id, name: 'Olga Other' },
    ].map((employee) => ({
      ...{ ...employee, team_severity: null, team_tags: [], escalation_minutes: null },
      ...{ muted_rules: [], chosen_sites: null, outages: false, channels: ['mail'] },
    })),
  ]);
});
