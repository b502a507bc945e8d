import type { SiteRole } from '@heliograph/contracts';
import type { TestDatabase } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import { type Insertable, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Factory } from '../../../test/factory.ts';
import { cloudDatabase, NOW } from '../../../test/test-cloud.ts';
import { accountCaller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import { readNotified } from '../../db/notified.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { FeedEvent } from '../events/service.ts';
import { escalate, storeAssignment, storeMessages } from './intake.ts';
import { messageRecipients } from './recipients.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Settings = Partial<Insertable<Schema['notification_settings']>>;
type Alert = Partial<Insertable<Schema['alerts']>>;
type Message = Partial<Insertable<Schema['notifications']>>;

const clock = new ManualClock(NOW);
const now = new Date(clock.now());
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const ahead = (ms: number): Date => new Date(now.getTime() + ms);

let database: TestDatabase;
let opened: OpenDatabase;
let db: OpenDatabase['db'];
let make: Factory;
beforeAll(async () => {
  database = await cloudDatabase();
  opened = openDatabase(database.url, () => undefined);
  db = opened.db;
  make = new Factory(db, clock);
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});

/** A site of an organization, shared with another one, and beside it what is of no concern to it. */
interface World {
  readonly home: number;
  readonly partner: number;
  readonly abroad: number;
  readonly site: number;
  readonly otherSite: number;
}

type Relation =
  | 'owner'
  | 'owner of another site'
  | `site ${'admin' | 'member'}`
  | 'admin of another site'
  | `${'home' | 'partner' | 'abroad'} ${SiteRole}`;

async function makeWorld(): Promise<World> {
  const [home, partner, abroad] = [
    await make.organization(),
    await make.organization(),
    await make.organization(),
  ];
  // Their owners want no message.
  const [ownerId, otherOwnerId] = (await make.users(2)) as [number, number];
  await settle(ownerId, { severity: null });
  await settle(otherOwnerId, { severity: null });
  const { id: site } = await make.site({ ownerId, organizationId: home });
  const { id: otherSite } = await make.site({ ownerId: otherOwnerId, organizationId: home });
  await db
    .updateTable('sites')
    .set({ tags: ['North', 'Roof'] })
    .where('id', '=', site)
    .execute();
  await make.share(partner, site);
  await make.share(abroad, otherSite);
  return { home, partner, abroad, site, otherSite };
}

function settle(userId: number, settings: Settings): Promise<unknown> {
  return db
    .insertInto('notification_settings')
    .values({
      ...{ user_id: userId, severity: 3, team_severity: null, team_tags: [], escalation_minutes: null },
      ...{ outages: true, mail: true, digest: 'at_once', quiet_from: null, quiet_until: null },
      ...{ time_zone: 'UTC', sealed_ntfy: null, sealed_telegram: null },
      ...settings,
    })
    .execute();
}

function relate(world: World, userId: number, relation: Relation): Promise<unknown> {
  const [place, role] = relation.split(' ') as ['home' | 'partner' | 'abroad' | 'site', SiteRole];
  const owns = (id: number) =>
    db.updateTable('sites').set({ owner_id: userId }).where('id', '=', id).execute();
  if (relation === 'owner') return owns(world.site);
  if (relation === 'owner of another site') return owns(world.otherSite);
  if (relation === 'admin of another site') return make.member(world.otherSite, userId, 'admin');
  if (place === 'site') return make.member(world.site, userId, role as 'admin' | 'member');
  return db
    .insertInto('organization_members')
    .values({ organization_id: world[place], user_id: userId, role })
    .execute();
}

interface Person {
  readonly is?: readonly Relation[];
  /** Without them the account has never chosen. */
  readonly settings?: Settings | ((world: World) => Settings);
  readonly confirmed?: boolean;
  /** The site that the account was added to and has not accepted. */
  readonly pending?: 'site' | 'otherSite';
  readonly browsers?: number;
}

/** @returns the id of the account, and those of its browsers */
async function makePerson(
  world: World,
  { is = [], settings, confirmed = true, pending, browsers = 0 }: Person,
): Promise<{ id: number; browserIds: number[] }> {
  const { id } = await make.user({ confirmed });
  for (const relation of is) await relate(world, id, relation);
  if (settings !== undefined) await settle(id, typeof settings === 'function' ? settings(world) : settings);
  if (pending !== undefined)
    await db
      .insertInto('site_invitations')
      .values({
        ...{ site_id: world[pending], user_id: id, invited_by: null, created_at: now },
        ...{ email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' },
      })
      .execute();
  const browserIds: number[] = [];
  for (let n = 0; n < browsers; n++) {
    const row = await db
      .insertInto('push_subscriptions')
      .values({
        ...{ user_id: id, endpoint: `https://push.example.org/${id}/${n}`, label: 'Firefox' },
        ...{ p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), created_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    browserIds.push(row.id);
  }
  return { id, browserIds };
}

type MessageTo = Message & { readonly user_id: number };

const messageRow = (message: MessageTo): Insertable<Schema['notifications']> => ({
  ...{ channel: 'mail', push_subscription_id: null, kind: 'raised', alert_id: null, outage_id: null },
  ...{ state: 'sent', due_at: now, created_at: now, sent_at: null, failure: null },
  ...message,
});

const putMessage = (message: MessageTo): Promise<{ id: string }> =>
  db.insertInto('notifications').values(messageRow(message)).returning('id').executeTakeFirstOrThrow();

const eventOf = (type: string, data: Record<string, unknown>): FeedEvent => ({
  ...{ transaction: '1', id: '1', at: now, type, siteId: null, organizationId: null, userId: null, data },
});

const store = (events: readonly FeedEvent[], at = now) =>
  db.transaction().execute((tx) => storeMessages(tx, events, at));

const messagesAbout = (of: 'alert_id' | 'outage_id', ids: readonly number[]) =>
  db
    .selectFrom('notifications')
    .select(['user_id', 'channel', 'kind', 'state', 'due_at', 'push_subscription_id'])
    .select(sql<number>`${sql.ref(of)}::int`.as('about'))
    .where(of, 'in', ids.map(String))
    .orderBy('id')
    .execute();

describe('the beginning of an alert', () => {
  interface Row extends Person {
    readonly who: string;
    readonly alert?: Alert;
    /** Messages that there are already. */
    readonly known?: (of: {
      readonly userId: number;
      readonly alertId: number;
      readonly otherAlertId: number;
      readonly strangerId: number;
      readonly browserIds: readonly number[];
    }) => Message & { readonly user_id: number };
    /** The channels of the messages to this person. */
    readonly gets: string;
  }
  const [mail, none] = [{ gets: 'mail' }, { gets: '' }];
  const team = { team_severity: 3, severity: null };
  const sealed = Buffer.alloc(1);

  const ROWS: readonly Row[] = [
    { who: 'the owner, who never chose', is: ['owner'], ...mail },
    { who: 'the owner, who never chose, of a warning', is: ['owner'], alert: { severity: 2 }, ...none },
    {
      who: 'the owner, who chose warnings',
      is: ['owner'],
      settings: { severity: 2 },
      alert: { severity: 2 },
      ...mail,
    },
    {
      who: 'the owner, who chose warnings, of less',
      is: ['owner'],
      settings: { severity: 2 },
      alert: { severity: 1 },
      ...none,
    },
    { who: 'the owner, who wants none', is: ['owner'], settings: { severity: null }, ...none },
    {
      who: 'the owner, who wants only those of a team',
      is: ['owner'],
      settings: { ...team, team_severity: 1 },
      ...none,
    },
    { who: 'the owner without a confirmed address', is: ['owner'], confirmed: false, ...none },
    { who: 'an admin of the site', is: ['site admin'], ...mail },
    { who: 'the new owner, who has not accepted', is: ['owner'], pending: 'site', ...none },
    { who: 'a new admin, who has not accepted', is: ['site admin'], pending: 'site', ...none },
    { who: 'the owner, who has not accepted another site', is: ['owner'], pending: 'otherSite', ...mail },
    { who: 'an admin who has not accepted another site', is: ['site admin'], pending: 'otherSite', ...mail },
    {
      who: 'a new owner and employee',
      ...{ is: ['owner', 'home member'], settings: team, pending: 'site', ...mail },
    },
    { who: 'a member of the site', is: ['site member'], settings: { severity: 1 }, ...none },
    { who: 'the owner of another site', is: ['owner of another site'], ...none },
    { who: 'an admin of another site', is: ['admin of another site'], ...none },
    { who: 'a stranger', settings: { ...team, severity: 1 }, ...none },
    { who: 'an employee who never chose', is: ['home admin'], ...none },
    {
      who: 'an employee who chose for own sites alone',
      is: ['home admin'],
      settings: { severity: 1 },
      ...none,
    },
    { who: 'an employee', is: ['home member'], settings: team, ...mail },
    {
      who: 'an employee without a confirmed address',
      is: ['home member'],
      settings: team,
      confirmed: false,
      ...none,
    },
    {
      who: 'an employee, of a warning',
      is: ['home member'],
      settings: { ...team, severity: 1 },
      alert: { severity: 2 },
      ...none,
    },
    { who: 'an employee of a partner', is: ['partner member'], settings: team, ...mail },
    { who: 'an employee of another organization', is: ['abroad owner'], settings: team, ...none },
    {
      who: 'an employee with a tag of the site',
      is: ['home member'],
      settings: { ...team, team_tags: ['south', 'north'] },
      ...mail,
    },
    {
      who: 'an employee with another tag',
      is: ['home member'],
      settings: { ...team, team_tags: ['south'] },
      ...none,
    },
    {
      who: 'the owner, for whose team a tag matters',
      is: ['owner'],
      settings: { team_tags: ['south'] },
      ...mail,
    },
    {
      who: 'the owner, who chose the site',
      is: ['owner'],
      settings: ({ site }) => ({ site_ids: [site] }),
      ...mail,
    },
    {
      who: 'the owner, who chose another site',
      is: ['owner'],
      settings: ({ otherSite }) => ({ site_ids: [otherSite] }),
      ...none,
    },
    {
      who: 'an employee who chose another site',
      is: ['home member'],
      settings: ({ otherSite }) => ({ ...team, site_ids: [otherSite] }),
      ...none,
    },
    {
      who: 'the owner, who muted the rule',
      is: ['owner'],
      settings: { muted_rules: ['grid_lost', 'battery_low'] },
      ...none,
    },
    {
      who: 'the owner, who muted another rule',
      is: ['owner'],
      settings: { muted_rules: ['grid_lost'] },
      ...mail,
    },
    {
      who: 'an employee who muted the rule',
      is: ['home member'],
      settings: { ...team, muted_rules: ['battery_low'] },
      ...none,
    },
    {
      who: 'the owner, who is an employee as well',
      is: ['owner', 'home admin', 'partner admin'],
      settings: { team_severity: 3 },
      ...mail,
    },
    {
      who: 'the owner, who wants messages as an employee',
      is: ['owner', 'home admin'],
      settings: team,
      ...mail,
    },
    { who: 'the owner without any channel', is: ['owner'], settings: { mail: false }, ...none },
    {
      who: 'the owner with ntfy alone',
      is: ['owner'],
      settings: { mail: false, sealed_ntfy: sealed },
      gets: 'ntfy',
    },
    {
      who: 'the owner with Telegram alone',
      is: ['owner'],
      settings: { mail: false, sealed_telegram: sealed },
      gets: 'telegram',
    },
    {
      who: 'the owner with two browsers, who never chose',
      is: ['owner'],
      browsers: 2,
      gets: 'mail push push',
    },
    {
      ...{ who: 'the owner with a message about its beginning', is: ['owner'], ...none },
      known: ({ userId: user_id, alertId }) => ({ user_id, alert_id: String(alertId) }),
    },
    {
      ...{ who: 'the owner with a message about its end', is: ['owner'], ...none },
      known: ({ userId: user_id, alertId }) => ({ user_id, alert_id: String(alertId), kind: 'cleared' }),
    },
    {
      ...{ who: 'the owner, to whom it was assigned', is: ['owner'], ...mail },
      known: ({ userId: user_id, alertId }) => ({ user_id, alert_id: String(alertId), kind: 'assigned' }),
    },
    {
      ...{ who: 'the owner with a message about another alert', is: ['owner'], ...mail },
      known: ({ userId: user_id, otherAlertId }) => ({ user_id, alert_id: String(otherAlertId) }),
    },
    {
      ...{ who: 'the owner with a message by another channel', is: ['owner'], ...mail },
      known: ({ userId: user_id, alertId }) => ({ user_id, alert_id: String(alertId), channel: 'ntfy' }),
    },
    {
      ...{ who: 'the owner, where another person has a message', is: ['owner'], ...mail },
      known: ({ strangerId: user_id, alertId }) => ({ user_id, alert_id: String(alertId) }),
    },
    {
      ...{ who: 'the owner, one of whose browsers has a message', is: ['owner'], settings: { mail: false } },
      ...{ browsers: 2, gets: 'push' },
      known: ({ userId: user_id, alertId, browserIds: [push_subscription_id = null] }) => ({
        ...{ user_id, alert_id: String(alertId), channel: 'push', push_subscription_id },
      }),
    },
  ];

  it('an alert that is raised is a message to each person who wants it, by each channel, and to no other', async () => {
    const prepared = await Promise.all(
      ROWS.map(async ({ alert, known, ...person }) => {
        const world = await makeWorld();
        const { id, browserIds } = await makePerson(world, person);
        const alertId = await make.alert(world.site, { severity: 3, ...alert });
        const otherAlertId = await make.alert(world.site, { severity: 3 });
        const { id: strangerId } = await make.user();
        const message = known?.({ userId: id, alertId, otherAlertId, strangerId, browserIds });
        const before = message === undefined ? undefined : (await putMessage(message)).id;
        return { id, alertId, before };
      }),
    );
    await store(prepared.map(({ alertId }) => eventOf('alert.raised', { alert_id: alertId })));
    const stored = await db
      .selectFrom('notifications')
      .select(['id', 'user_id', 'channel', 'alert_id', 'due_at'])
      .where('kind', '=', 'raised')
      .where('state', '=', 'waiting')
      .where(
        'alert_id',
        'in',
        prepared.map(({ alertId }) => String(alertId)),
      )
      .orderBy('channel')
      .execute();
    expect(
      ROWS.map(({ who }, index) => {
        const { id, alertId } = prepared[index] as (typeof prepared)[number];
        const about = stored.filter(({ alert_id }) => Number(alert_id) === alertId);
        const others = about.filter(({ user_id }) => user_id !== id).length;
        const late = about.filter(({ due_at }) => due_at.getTime() !== now.getTime()).length;
        return { who, gets: about.map(({ channel }) => channel).join(' '), others, late };
      }),
    ).toEqual(ROWS.map(({ who, gets }) => ({ who, gets, others: 0, late: 0 })));
  });
});

it('the end of an alert is a message to those who got one about its beginning, and takes the place of one that waits', async () => {
  interface Row {
    readonly message: Message;
    readonly settings?: Settings;
    /** Kind and state of the messages after it. */
    readonly after: readonly string[];
    readonly ofOtherAlert?: boolean;
  }
  const ended: Row['after'] = ['raised sent', 'cleared waiting'];
  const ROWS: readonly Row[] = [
    { message: { state: 'waiting' }, after: ['cleared waiting'] },
    { message: { state: 'waiting' }, settings: { cleared: false }, after: ['raised waiting'] },
    { message: { state: 'waiting' }, ofOtherAlert: true, after: ['raised waiting'] },
    { message: { state: 'waiting', kind: 'assigned' }, after: ['assigned waiting'] },
    { message: { state: 'sending' }, after: ['raised sending', 'cleared waiting'] },
    { message: { state: 'sent' }, after: ended },
    { message: { state: 'sent' }, settings: {}, after: ended },
    { message: { state: 'sent' }, settings: { cleared: false }, after: ['raised sent'] },
    { message: { state: 'sent' }, ofOtherAlert: true, after: ['raised sent'] },
    { message: { state: 'sent', channel: 'ntfy' }, after: ended },
    { message: { state: 'sent', kind: 'assigned' }, after: ['assigned sent'] },
    { message: { state: 'failed' }, after: ['raised failed'] },
    { message: { state: 'skipped' }, after: ['raised skipped'] },
  ];
  const world = await makeWorld();
  const alertId = await make.alert(world.site, { cleared_at: now });
  const otherAlertId = await make.alert(world.site);
  const userIds = await Promise.all(
    ROWS.map(async ({ message, settings, ofOtherAlert }) => {
      const { id } = await makePerson(world, settings === undefined ? {} : { settings });
      await putMessage({ ...message, user_id: id, alert_id: String(ofOtherAlert ? otherAlertId : alertId) });
      return id;
    }),
  );
  // A second time it ends, it is no news any more.
  for (let times = 1; times <= 2; times++) await store([eventOf('alert.cleared', { alert_id: alertId })]);
  const stored = await messagesAbout('alert_id', [alertId, otherAlertId]);
  expect(
    ROWS.map(({ after, ...row }, index) => {
      const theirs = stored.filter(({ user_id }) => user_id === userIds[index]);
      const isByOne = theirs.every(({ channel }) => channel === (row.message.channel ?? 'mail'));
      return { ...row, isByOne, after: theirs.map(({ kind, state }) => `${kind} ${state}`) };
    }),
  ).toEqual(ROWS.map((row) => ({ ...row, isByOne: true })));
});

it('an outage is a message to the managers of its organization, as the list of recipients has them', async () => {
  const PEOPLE: readonly (Person & { readonly gets: string })[] = [
    { is: ['home owner'], gets: 'mail' },
    { is: ['home admin'], gets: 'mail' },
    { is: ['home admin'], browsers: 1, gets: 'mail push' },
    { is: ['home admin'], settings: { severity: null }, gets: 'mail' },
    { is: ['home admin'], settings: { outages: false }, gets: '' },
    { is: ['home admin'], settings: { mail: false }, gets: '' },
    { is: ['home admin'], settings: { mail: false, sealed_ntfy: Buffer.alloc(1) }, gets: 'ntfy' },
    { is: ['home admin'], settings: { sealed_telegram: Buffer.alloc(1) }, gets: 'mail telegram' },
    { is: ['home admin'], confirmed: false, gets: '' },
    { is: ['home member'], gets: '' },
    { is: ['abroad owner'], gets: '' },
    { is: ['partner owner'], gets: '' },
    { is: ['owner'], gets: '' },
    { gets: '' },
  ];
  const world = await makeWorld();
  const people = await Promise.all(PEOPLE.map((person) => makePerson(world, person)));
  const outage = await db
    .insertInto('outages')
    .values({ organization_id: world.home, began_at: now, ended_at: null, sites: 10 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const outageId = Number(outage.id);
  // Each once, however often it is reported.
  for (const type of ['outage.began', 'outage.ended', 'outage.began', 'alert.raised'])
    await store([eventOf(type, { outage_id: outageId, alert_id: 0 })]);
  const stored = await messagesAbout('outage_id', [outageId]);
  const channelsTo = (index: number, of: 'began' | 'ended') =>
    stored
      .filter(({ user_id, kind }) => user_id === people[index]?.id && kind === of)
      .map(({ channel }) => channel)
      .toSorted()
      .join(' ');
  const expected = PEOPLE.map(({ gets }) => gets);
  expect(PEOPLE.map((_, index) => channelsTo(index, 'began'))).toEqual(expected);
  expect(PEOPLE.map((_, index) => channelsTo(index, 'ended'))).toEqual(expected);
  const listed = await messageRecipients(db, world.home, 'en');
  expect(
    people.map(({ id }) => {
      const recipient = listed.find(({ user_id }) => user_id === id);
      return recipient?.outages ? recipient.channels.toSorted().join(' ') : '';
    }),
  ).toEqual(expected);
  const isListed = ({ is, confirmed }: Person) => is?.[0]?.startsWith('home') === true && confirmed !== false;
  expect(people.map(({ id }) => listed.some(({ user_id }) => user_id === id))).toEqual(PEOPLE.map(isListed));
});

it('an alert is one message by each channel to its new assignee, whatever else the account chose', async () => {
  const ROWS: readonly (Person & { readonly gets: string; readonly isRaised?: boolean })[] = [
    { gets: 'mail' },
    { settings: { severity: null, team_severity: null, muted_rules: ['battery_low'] }, gets: 'mail' },
    { settings: { mail: false }, gets: '' },
    { settings: { sealed_ntfy: Buffer.alloc(1) }, browsers: 1, gets: 'mail ntfy push' },
    { confirmed: false, gets: '' },
    { isRaised: true, gets: 'mail' },
  ];
  const world = await makeWorld();
  const alertId = await make.alert(world.site);
  const people = await Promise.all(ROWS.map((person) => makePerson(world, person)));
  for (const [index, { id }] of people.entries()) {
    if (ROWS[index]?.isRaised) await putMessage({ user_id: id, alert_id: String(alertId) });
    for (let times = 1; times <= 2; times++) await storeAssignment(db, { alertId, userId: id }, now);
  }
  const stored = await messagesAbout('alert_id', [alertId]);
  const assigned = stored.filter(({ kind }) => kind === 'assigned');
  expect(
    people.map(({ id }) =>
      assigned
        .filter(({ user_id }) => user_id === id)
        .map(({ channel }) => channel)
        .toSorted()
        .join(' '),
    ),
  ).toEqual(ROWS.map(({ gets }) => gets));
});

it('a critical alert that no person acknowledges in time is a message to the employees who chose so', async () => {
  interface Row extends Person {
    readonly who: string;
    readonly alert?: Alert;
    readonly isInOutage?: boolean;
    /** The kind of the message about it that there is. */
    readonly known?: 'raised' | 'cleared';
    readonly gets: boolean;
  }
  const waits = { severity: null, escalation_minutes: 30 };
  const employee = { is: ['home member'], settings: waits } as const;
  const ROWS: readonly Row[] = [
    { who: 'an employee', ...employee, gets: true },
    { who: 'an employee of a partner', is: ['partner owner'], settings: waits, gets: false },
    { who: 'an employee of another organization', is: ['abroad owner'], settings: waits, gets: false },
    { who: 'the owner', is: ['owner'], settings: waits, gets: false },
    { who: 'an employee who does not wait', is: ['home member'], settings: { severity: null }, gets: false },
    {
      who: 'an employee who waits longer',
      is: ['home member'],
      settings: { ...waits, escalation_minutes: 31 },
      gets: false,
    },
    { who: 'an employee without a confirmed address', ...employee, confirmed: false, gets: false },
    {
      who: 'an employee with a tag of the site',
      is: ['home member'],
      settings: { ...waits, team_tags: ['ROOF'] },
      gets: true,
    },
    {
      who: 'an employee with another tag',
      is: ['home member'],
      settings: { ...waits, team_tags: ['south'] },
      gets: false,
    },
    {
      who: 'an employee who muted the rule',
      is: ['home member'],
      settings: { ...waits, muted_rules: ['battery_low'] },
      gets: false,
    },
    {
      who: 'an employee who chose the site',
      is: ['home member'],
      settings: ({ site }) => ({ ...waits, site_ids: [site] }),
      gets: true,
    },
    {
      who: 'an employee who chose another site',
      is: ['home member'],
      settings: ({ otherSite }) => ({ ...waits, site_ids: [otherSite] }),
      gets: false,
    },
    {
      who: 'an employee without a channel',
      is: ['home member'],
      settings: { ...waits, mail: false },
      gets: false,
    },
    { who: 'an employee who has a message about it', ...employee, known: 'raised', gets: false },
    { who: 'an employee who has one about an earlier end', ...employee, known: 'cleared', gets: false },
    { who: 'an employee, of a warning', ...employee, alert: { severity: 2 }, gets: false },
    { who: 'an employee, of one that is over', ...employee, alert: { cleared_at: now }, gets: false },
    { who: 'an employee, of one that is known', ...employee, alert: { acknowledged_at: now }, gets: false },
    {
      who: 'an employee, of one that is snoozed',
      ...employee,
      alert: { snoozed_until: ahead(1) },
      gets: false,
    },
    { who: 'an employee, of one that was snoozed', ...employee, alert: { snoozed_until: now }, gets: true },
    { who: 'an employee, of one in an outage', ...employee, isInOutage: true, gets: false },
    {
      who: 'an employee, of one that is younger',
      ...employee,
      alert: { raised_at: ago(30 * MINUTE_MS - 1) },
      gets: false,
    },
    {
      who: 'an employee, of one of nearly two days',
      ...employee,
      alert: { raised_at: ago(2 * DAY_MS - 1) },
      gets: true,
    },
    {
      who: 'an employee, of one of two days',
      ...employee,
      alert: { raised_at: ago(2 * DAY_MS) },
      gets: false,
    },
  ];
  const prepared = await Promise.all(
    ROWS.map(async ({ alert, isInOutage, known, ...person }) => {
      const world = await makeWorld();
      const { id } = await makePerson(world, person);
      const outage = isInOutage
        ? await db
            .insertInto('outages')
            .values({ organization_id: world.home, began_at: now, ended_at: null, sites: 10 })
            .returning('id')
            .executeTakeFirstOrThrow()
        : undefined;
      const alertId = await make.alert(world.site, {
        ...{ severity: 3, raised_at: ago(30 * MINUTE_MS), outage_id: outage?.id ?? null },
        ...alert,
      });
      if (known !== undefined) await putMessage({ user_id: id, alert_id: String(alertId), kind: known });
      return { id, alertId };
    }),
  );
  for (let times = 1; times <= 2; times++) await escalate(db, now);
  const stored = await messagesAbout(
    'alert_id',
    prepared.map(({ alertId }) => alertId),
  );
  expect(
    ROWS.map(({ who }, index) => {
      const { id, alertId } = prepared[index] as (typeof prepared)[number];
      const about = stored.filter((one) => one.about === alertId && one.state === 'waiting');
      return { who, messages: about.map(({ user_id, kind }) => [user_id === id, kind]) };
    }),
  ).toEqual(ROWS.map(({ who, gets }) => ({ who, messages: gets ? [[true, 'raised']] : [] })));
});

describe('the time at which a message is due', () => {
  const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'] as const;
  const DIGESTS = ['at_once', 'hourly', 'daily'] as const;
  /** Minutes after midnight; the second and the third begin on one day and end on the next. */
  const QUIET: readonly (readonly [from: number, until: number] | null)[] = [
    null,
    [22 * 60, 6 * 60 + 30],
    [23 * 60 + 59, 0],
    [6 * 60, 7 * 60 + 1],
    [0, 23 * 60 + 59],
  ];
  /** Before the change to summer time in Berlin, and the one back in Newfoundland. */
  const STARTS = [Date.parse('2027-03-27T11:00:00Z'), Date.parse('2026-10-31T11:00:00Z')];
  /** Minutes after a start: of hours at which quiet ones or digests of a zone begin and end, and shortly before and after. */
  const MOMENTS = [5.25, 10, 12, 18.5, 19, 22].flatMap((hours) => [
    ...[hours * 60 - 1 / 60_000, hours * 60, hours * 60 + 0.5],
  ]);

  /** The minute after midnight that clocks of a zone show in each minute from a start on. */
  function localMinutes(zone: string, startMs: number, count: number): Uint16Array {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    return Uint16Array.from({ length: count }, (_, minute) => {
      const [hours = 0, minutes = 0] = format
        .format(startMs + minute * MINUTE_MS)
        .split(':')
        .map(Number);
      return hours * 60 + minutes;
    });
  }

  /** Looks at one minute after the other, where SQL computes. @returns minutes after the start, with a fraction of the first */
  function expectedMinute(
    local: Uint16Array,
    nowMinute: number,
    digest: (typeof DIGESTS)[number],
    quiet: readonly [number, number] | null,
  ): number {
    let due = nowMinute;
    const next = (isIt: (minute: number) => boolean) => {
      due = Math.floor(due) + 1;
      while (!isIt(due)) due++;
    };
    if (digest === 'hourly') next((minute) => (local[minute] ?? 0) % 60 === 0);
    if (digest === 'daily') next((minute) => local[minute] === 7 * 60);
    if (quiet === null) return due;
    const [from, until] = quiet;
    const at = local[Math.floor(due)] ?? 0;
    const isQuiet = from < until ? from <= at && at < until : from <= at || at < until;
    if (isQuiet) next((minute) => local[minute] === until);
    return due;
  }

  it('a message is due after its digest and outside of quiet hours, in the zone of the reader', async () => {
    const world = await makeWorld();
    const choices = ZONES.flatMap((zone) =>
      DIGESTS.flatMap((digest) => QUIET.map((quiet) => ({ zone, digest, quiet }))),
    );
    const userIds = await make.users(choices.length);
    for (const [index, { zone, digest, quiet }] of choices.entries()) {
      const userId = userIds[index] ?? 0;
      await settle(userId, {
        ...{ time_zone: zone, digest, quiet_from: quiet?.[0] ?? null, quiet_until: quiet?.[1] ?? null },
        // Digests are of mails alone.
        sealed_ntfy: digest === 'daily' ? Buffer.alloc(1) : null,
      });
      await make.member(world.site, userId, 'admin');
    }
    const cases = STARTS.flatMap((startMs) => MOMENTS.map((minute) => ({ startMs, minute, alertId: 0 })));
    for (const one of cases) {
      one.alertId = await make.alert(world.site, { severity: 3 });
      const at = new Date(one.startMs + one.minute * MINUTE_MS);
      await store([eventOf('alert.raised', { alert_id: one.alertId })], at);
    }
    const stored = await messagesAbout(
      'alert_id',
      cases.map(({ alertId }) => alertId),
    );
    const dueOf = new Map(
      stored.map(({ about, user_id, channel, due_at }) => [`${about} ${user_id} ${channel}`, due_at]),
    );
    const localOf = new Map(
      STARTS.flatMap((startMs) =>
        ZONES.map((zone) => [`${startMs} ${zone}`, localMinutes(zone, startMs, 80 * 60)] as const),
      ),
    );
    const wrong: unknown[] = [];
    for (const { startMs, minute, alertId } of cases) {
      for (const [index, { zone, digest, quiet }] of choices.entries()) {
        for (const channel of digest === 'daily' ? ['mail', 'ntfy'] : ['mail']) {
          const local = localOf.get(`${startMs} ${zone}`) ?? new Uint16Array();
          const due = expectedMinute(local, minute, channel === 'mail' ? digest : 'at_once', quiet);
          const expected = new Date(Math.round(startMs + due * MINUTE_MS));
          const found = dueOf.get(`${alertId} ${userIds[index]} ${channel}`);
          const at = new Date(startMs + minute * MINUTE_MS);
          if (found?.getTime() !== expected.getTime())
            wrong.push({ at, zone, digest, quiet, channel, expected, found });
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(stored).toHaveLength((cases.length * choices.length * 4) / 3);
  });
});

describe('a message that waited', () => {
  it('a message is left out where a person knows of the alert, or the account does not see it any more', async () => {
    interface Row extends Person {
      readonly kind: 'raised' | 'cleared' | 'assigned' | 'test';
      readonly alert?: Alert;
      readonly isAssignee?: boolean;
      readonly isRead: boolean;
    }
    const owner = { is: ['owner'] } as const;
    const ROWS: readonly Row[] = [
      { kind: 'raised', ...owner, isRead: true },
      { kind: 'raised', ...owner, alert: { cleared_at: now }, isRead: false },
      { kind: 'raised', ...owner, alert: { acknowledged_at: now }, isRead: false },
      { kind: 'raised', ...owner, alert: { snoozed_until: ahead(1) }, isRead: false },
      { kind: 'raised', ...owner, alert: { snoozed_until: now }, isRead: true },
      { kind: 'cleared', ...owner, alert: { cleared_at: now, acknowledged_at: now }, isRead: true },
      { kind: 'assigned', ...owner, isAssignee: true, alert: { acknowledged_at: now }, isRead: true },
      { kind: 'assigned', ...owner, isRead: false },
      { kind: 'assigned', isAssignee: true, isRead: false },
      { kind: 'cleared', isRead: false },
      { kind: 'raised', isRead: false },
      { kind: 'test', isRead: true },
    ];
    const world = await makeWorld();
    const found: unknown[] = [];
    for (const { kind, alert, isAssignee, isRead, ...person } of ROWS) {
      const { id } = await makePerson(world, person);
      const alertId = await make.alert(world.site, { assignee_id: isAssignee ? id : null, ...alert });
      const alert_id = kind === 'test' ? null : String(alertId);
      const { id: messageId } = await putMessage({ user_id: id, kind, alert_id });
      found.push({
        kind,
        alert,
        isAssignee,
        ...person,
        isRead: (await readNotified(db, [messageId], now)).length === 1,
      });
    }
    expect(found).toEqual(ROWS.map((row) => ({ alert: undefined, isAssignee: undefined, ...row })));
  });

  it('a message reaches the accounts that see the site, and about an outage the managers of its organization', async () => {
    const RELATIONS: readonly Relation[] = [
      ...(['owner', 'site admin', 'site member', 'owner of another site', 'admin of another site'] as const),
      ...([
        'home owner',
        'home admin',
        'home member',
        'partner owner',
        'partner member',
        'abroad owner',
      ] as const),
    ];
    const MANAGERS: readonly Relation[] = ['home owner', 'home admin'];
    for (const relation of [...RELATIONS, undefined]) {
      const world = await makeWorld();
      for (const is of ['site member', 'home admin', 'partner member'] as const)
        await makePerson(world, { is: [is] });
      const { id } = await makePerson(world, { is: relation === undefined ? [] : [relation] });
      const alertId = await make.alert(world.site);
      const outage = await db
        .insertInto('outages')
        .values({ organization_id: world.home, began_at: now, ended_at: null, sites: 10 })
        .returning('id')
        .executeTakeFirstOrThrow();
      const ids = [
        (await putMessage({ user_id: id, alert_id: String(alertId) })).id,
        (await putMessage({ user_id: id, kind: 'began', outage_id: outage.id })).id,
      ];
      const read = (await readNotified(db, ids, now)).map(({ id: read }) => read);
      const visible = await db
        .selectFrom('sites')
        .select('id')
        .where('id', '=', world.site)
        .where(visibleTo(accountCaller(id, false)))
        .execute();
      expect({ relation, sees: read.includes(ids[0] ?? ''), manages: read.includes(ids[1] ?? '') }).toEqual({
        ...{ relation, sees: visible.length === 1 },
        manages: relation !== undefined && MANAGERS.includes(relation),
      });
    }
  });
});

describe('a budget of messages', () => {
  const rows = (userId: number) =>
    db
      .selectFrom('notifications')
      .leftJoin('alerts', 'alerts.id', 'alert_id')
      .select([
        'notifications.kind',
        'severity',
        'further_alerts',
        'notifications.site_id',
        'urgency',
        'due_at',
      ])
      .where('user_id', '=', userId)
      .orderBy('notifications.id')
      .execute();
  const raiseMany = async (siteId: number, severities: readonly number[], at = now): Promise<void> => {
    const ids: number[] = [];
    for (const severity of severities) ids.push(await make.alert(siteId, { severity }));
    await store(
      ids.map((id) => eventOf('alert.raised', { alert_id: id })),
      at,
    );
  };
  const of = (count: number, severity: number): number[] => Array.from({ length: count }, () => severity);
  const counts = async (userId: number) => {
    const stored = await rows(userId);
    const single = stored.filter(({ kind }) => kind === 'raised');
    return {
      critical: single.filter(({ severity }) => severity === 3).length,
      others: single.filter(({ severity }) => severity !== 3).length,
      further: stored.filter(({ kind }) => kind === 'further').map(({ further_alerts: alerts }) => alerts),
    };
  };

  it('a person has messages about twenty alerts of a site in an hour, ten where none is critical, and a summary counts the others', async () => {
    const { id: userId } = await make.user();
    await settle(userId, { severity: 1 });
    const { id: siteId } = await make.site({ ownerId: userId });
    await raiseMany(siteId, of(12, 2));
    expect(await counts(userId)).toEqual({ critical: 0, others: 10, further: [2] });
    await raiseMany(siteId, [...of(5, 1), ...of(13, 3)]);
    expect(await counts(userId)).toEqual({ critical: 10, others: 10, further: [10] });
    const summary = (await rows(userId)).find(({ kind }) => kind === 'further');
    expect(summary).toMatchObject({ site_id: siteId, urgency: 3, due_at: ahead(10 * MINUTE_MS) });
    // Alerts that a summary counts are not counted again.
    await store((await allAlertsOf(siteId)).map((id) => eventOf('alert.raised', { alert_id: id })));
    expect(await counts(userId)).toEqual({ critical: 10, others: 10, further: [10] });
    const { id: otherSite } = await make.site({ ownerId: userId });
    await raiseMany(otherSite, of(21, 3));
    expect(await counts(userId)).toEqual({ critical: 30, others: 10, further: [11] });
    expect((await rows(userId)).find(({ kind }) => kind === 'further')).toMatchObject({ site_id: null });
    await raiseMany(siteId, of(3, 3), ahead(61 * MINUTE_MS));
    expect(await counts(userId)).toEqual({ critical: 33, others: 10, further: [11] });
  });

  it('a person has messages about 120 alerts of the sites of others in an hour, the first critical one of each site beyond that, and of the own site all the same', async () => {
    const world = await makeWorld();
    const { id: userId } = await makePerson(world, {
      is: ['home member'],
      settings: { team_severity: 3, severity: 3 },
    });
    for (let n = 1; n <= 7; n++) {
      const { id } = await make.site({ ownerId: (await make.user()).id, organizationId: world.home });
      await raiseMany(id, of(20, 3));
    }
    expect(await counts(userId)).toEqual({ critical: 121, others: 0, further: [19] });
    const { id: another } = await make.site({ ownerId: (await make.user()).id, organizationId: world.home });
    await raiseMany(another, [3]);
    await raiseMany(another, [3]);
    expect(await counts(userId)).toEqual({ critical: 122, others: 0, further: [20] });
    await raiseMany((await make.site({ ownerId: userId })).id, [3]);
    expect(await counts(userId)).toEqual({ critical: 123, others: 0, further: [20] });
  });

  const HOUR_MS = 60 * MINUTE_MS;
  /** Stores a message about each of some alerts. */
  const putMessages = (userId: number, alertIds: readonly number[], message: Message): Promise<unknown> =>
    db
      .insertInto('notifications')
      .values(alertIds.map((id) => messageRow({ user_id: userId, alert_id: String(id), ...message })))
      .execute();
  const makeAlerts = (siteId: number, count: number, alert: Alert = {}): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => make.alert(siteId, { severity: 2, ...alert })));

  it('a message counts for an hour, for its person and site, once for each alert, and an end where it stands for the beginning', async () => {
    interface Messages {
      readonly userId: number;
      readonly strangerId: number;
      /** Ten alerts of the site, and ten of another one. */
      readonly ids: readonly number[];
      readonly otherIds: readonly number[];
    }
    const cleared = { kind: 'cleared' } as const;
    const earlier = { created_at: ago(HOUR_MS) };
    const ROWS: readonly [string, boolean, (messages: Messages) => Promise<unknown>][] = [
      ['of nearly an hour', true, (of) => putMessages(of.userId, of.ids, { created_at: ago(HOUR_MS - 1) })],
      ['of an hour', false, (of) => putMessages(of.userId, of.ids, earlier)],
      ['of another person', false, (of) => putMessages(of.strangerId, of.ids, {})],
      ['about another site', false, (of) => putMessages(of.userId, of.otherIds, {})],
      ['about nine alerts', false, (of) => putMessages(of.userId, of.ids.slice(1), {})],
      [
        'about five alerts by two channels',
        false,
        async (of) => {
          for (const channel of ['mail', 'ntfy'] as const)
            await putMessages(of.userId, of.ids.slice(5), { channel });
        },
      ],
      ['of assignments', true, (of) => putMessages(of.userId, of.ids, { kind: 'assigned' })],
      ['of ends alone', true, (of) => putMessages(of.userId, of.ids, cleared)],
      [
        'of ends, after those of the beginnings',
        false,
        async (of) => {
          await putMessages(of.userId, of.ids, earlier);
          await putMessages(of.userId, of.ids, cleared);
        },
      ],
      [
        'of ends, where another person had the beginnings',
        true,
        async (of) => {
          await putMessages(of.strangerId, of.ids, earlier);
          await putMessages(of.userId, of.ids, cleared);
        },
      ],
      [
        'of ends, after beginnings of other alerts',
        true,
        async (of) => {
          await putMessages(of.userId, of.otherIds, earlier);
          await putMessages(of.userId, of.ids, cleared);
        },
      ],
    ];
    const { id: strangerId } = await make.user();
    const found: unknown[] = [];
    for (const [what, , put] of ROWS) {
      const { id: userId } = await make.user();
      await settle(userId, { severity: 2 });
      const [{ id: siteId }, { id: otherSite }] = [
        await make.site({ ownerId: userId }),
        await make.site({ ownerId: userId }),
      ];
      const ids = await makeAlerts(siteId, 10);
      await put({ userId, strangerId, ids, otherIds: await makeAlerts(otherSite, 10) });
      await raiseMany(siteId, [2]);
      found.push([what, (await counts(userId)).further.length === 1]);
    }
    expect(found).toEqual(ROWS.map(([what, counted]) => [what, counted]));
  });

  it('beyond 120 messages about sites of others a critical alert is one where none of its site was in the hour', async () => {
    const [critical, warning] = [{ severity: 3 }, { severity: 2 }];
    /** The message about an alert of the site that there is, what is raised besides, and whether that is a message of its own. */
    const ROWS: readonly [string, Alert | undefined, Message, Alert, boolean][] = [
      ['none', undefined, {}, critical, true],
      ['none', undefined, {}, warning, false],
      ['a critical one', critical, { urgency: 3 }, critical, false],
      ['one of an hour ago', critical, { urgency: 3, created_at: ago(HOUR_MS) }, critical, true],
      ['a warning', warning, { urgency: 2 }, critical, true],
      ['a critical one that was assigned', critical, { kind: 'assigned', urgency: 2 }, critical, false],
      ['a warning that was assigned', warning, { kind: 'assigned', urgency: 2 }, critical, true],
      ['the end of a critical one', critical, { kind: 'cleared', urgency: 1 }, critical, true],
    ];
    const world = await makeWorld();
    const busy = await makeAlerts(world.otherSite, 120, critical);
    const found: unknown[] = [];
    for (const [what, alert, message, raised] of ROWS) {
      const { id: siteId } = await make.site({ ownerId: (await make.user()).id, organizationId: world.home });
      const { id } = await makePerson(world, { is: ['home member'], settings: { team_severity: 2 } });
      await putMessages(id, busy, { urgency: 3 });
      if (alert !== undefined) await putMessages(id, await makeAlerts(siteId, 1, alert), message);
      await raiseMany(siteId, [raised.severity ?? 0]);
      found.push([what, alert, message, raised, (await counts(id)).further.length === 0]);
    }
    expect(found).toEqual(ROWS);
  });

  it('escalations and assignments count as well, each once', async () => {
    const world = await makeWorld();
    const { id: userId } = await makePerson(world, {
      is: ['home member'],
      settings: { escalation_minutes: 5 },
    });
    const ids: number[] = [];
    for (let n = 1; n <= 23; n++)
      ids.push(await make.alert(world.site, { severity: 3, raised_at: ago(10 * MINUTE_MS + n) }));
    for (let minute = 0; minute < 3; minute++) await escalate(db, ahead(minute * MINUTE_MS));
    expect(await counts(userId)).toEqual({ critical: 20, others: 0, further: [3] });
    const alertId = await make.alert(world.site, { severity: 3 });
    await storeAssignment(db, { alertId, userId }, now);
    expect(await counts(userId)).toEqual({ critical: 20, others: 0, further: [4] });
  });

  it('an alert that a summary counted is a message when it is assigned, and when it became critical', async () => {
    const world = await makeWorld();
    const { id: userId } = await makePerson(world, {
      is: ['home member'],
      settings: { team_severity: 2, escalation_minutes: 5 },
    });
    await raiseMany(world.site, of(12, 2));
    expect(await counts(userId)).toEqual({ critical: 0, others: 10, further: [2] });
    const [assigned = 0, risen = 0] = (await allAlertsOf(world.site)).slice(-2);
    const later = ahead(61 * MINUTE_MS);
    await storeAssignment(db, { alertId: assigned, userId }, later);
    const assignments = async () => (await rows(userId)).filter(({ kind }) => kind === 'assigned').length;
    expect(await assignments()).toBe(1);
    await escalate(db, later);
    expect(await counts(userId)).toEqual({ critical: 0, others: 10, further: [2] });
    await db.updateTable('alerts').set({ severity: 3 }).where('id', '=', String(risen)).execute();
    await escalate(db, later);
    await escalate(db, later);
    expect(await counts(userId)).toEqual({ critical: 1, others: 10, further: [2] });
  });

  const allAlertsOf = async (siteId: number): Promise<number[]> =>
    (await db.selectFrom('alerts').select('id').where('site_id', '=', siteId).orderBy('id').execute()).map(
      ({ id }) => Number(id),
    );
});
