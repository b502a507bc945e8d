import { describe, expect, it } from 'vitest';
import {
  type Alert,
  ago,
  ahead,
  eventOf,
  type Message,
  MINUTE_MS,
  messageGround,
  now,
  type Person,
  type Settings,
} from '../../../test/alerting/message-ground.ts';
import { escalate, storeAssignment } from './intake.ts';
import { messageRecipients } from './recipients.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

const { db, make, makeWorld, makePerson, putMessage, store, messagesAbout } = await messageGround();

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

it('an assignment that was skipped is a message when the alert is assigned again, and no other message goes', async () => {
  const world = await makeWorld();
  const [alertId, otherAlertId] = [await make.alert(world.site), await make.alert(world.site)];
  const { id: strangerId } = await make.user();
  const assigned = { kind: 'assigned', state: 'skipped', alert_id: String(alertId) } as const;
  const again = 'assigned waiting';
  /** The message that there is, and those to the assignee, and about the alert or by the stranger, after it. */
  const ROWS: readonly (readonly [before: Message, after: readonly string[]])[] = [
    [assigned, [again]],
    [{ ...assigned, state: 'sent' }, ['assigned sent']],
    [{ ...assigned, state: 'failed' }, ['assigned failed']],
    [{ ...assigned, kind: 'raised' }, ['raised skipped', again]],
    [{ ...assigned, alert_id: String(otherAlertId) }, ['assigned skipped', again]],
    [{ ...assigned, user_id: strangerId }, ['assigned skipped', again]],
  ];
  const found: unknown[] = [];
  for (const [before] of ROWS) {
    const { id } = await makePerson(world, {});
    const { id: messageId } = await putMessage({ user_id: id, ...before });
    await storeAssignment(db, { alertId, userId: id }, now);
    const stored = await db
      .selectFrom('notifications')
      .select(['kind', 'state'])
      .where((eb) => eb.or([eb('user_id', '=', id), eb('id', '=', messageId)]))
      .orderBy('id')
      .execute();
    found.push([before, stored.map(({ kind, state }) => `${kind} ${state}`)]);
  }
  expect(found).toEqual(ROWS);
});

it('beginnings of outages and critical alerts leave first, and ends last', async () => {
  const world = await makeWorld();
  const { id: userId } = await makePerson(world, { is: ['home admin'], settings: { team_severity: 1 } });
  const [warning, critical] = [
    await make.alert(world.site, { severity: 2 }),
    await make.alert(world.site, { severity: 3 }),
  ];
  const outage = await db
    .insertInto('outages')
    .values({ organization_id: world.home, began_at: now, ended_at: null, sites: 10 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeAssignment(db, { alertId: critical, userId }, now);
  await store([
    ...[warning, critical].map((id) => eventOf('alert.raised', { alert_id: id })),
    ...['outage.began', 'outage.ended'].map((type) => eventOf(type, { outage_id: Number(outage.id) })),
  ]);
  await db.updateTable('notifications').set({ state: 'sent' }).where('user_id', '=', userId).execute();
  await store([eventOf('alert.cleared', { alert_id: critical })]);
  const stored = await db
    .selectFrom('notifications')
    .select(['kind', 'urgency'])
    .where('user_id', '=', userId)
    .orderBy('urgency', 'desc')
    .orderBy('id')
    .execute();
  expect(stored.map(({ kind, urgency }) => `${kind} ${urgency}`).toSorted()).toEqual([
    'assigned 2',
    'began 3',
    'cleared 1',
    'ended 1',
    'raised 2',
    'raised 3',
  ]);
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
