import { expect, it } from 'vitest';
import {
  type Alert,
  ago,
  ahead,
  eventOf,
  type Message,
  MINUTE_MS,
  messageGround,
  messageRow,
  now,
} from '../../../test/alerting/message-ground.ts';
import { escalate, storeAssignment } from './intake.ts';

const { db, make, makeWorld, settle, makePerson, store } = await messageGround();

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
  await raiseMany(siteId, [1]);
  expect(await counts(userId)).toEqual({ critical: 30, others: 10, further: [12] });
  const ofBoth = { site_id: null, urgency: 3 };
  expect((await rows(userId)).find(({ kind }) => kind === 'further')).toMatchObject(ofBoth);
  await raiseMany(siteId, of(3, 3), ahead(61 * MINUTE_MS));
  expect(await counts(userId)).toEqual({ critical: 33, others: 10, further: [12] });
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

it('alerts of the own site and those that a summary counts take none of the messages about sites of others', async () => {
  interface Row {
    /** Alerts that there are messages about. */
    readonly ofOthers: number;
    readonly ofOwn?: number;
    /** The sites of the warnings that are raised at the same time. */
    readonly raised: readonly ('own' | 'first' | 'second')[];
    readonly further: readonly number[];
  }
  const ROWS: readonly Row[] = [
    { ofOthers: 59, raised: ['first'], further: [] },
    { ofOthers: 60, raised: ['first'], further: [1] },
    { ofOthers: 59, ofOwn: 60, raised: ['first'], further: [] },
    { ofOthers: 59, raised: ['own', 'first'], further: [] },
    { ofOthers: 60, raised: ['own', 'first', 'second'], further: [2] },
    { ofOthers: 49, raised: [...Array<'first'>(11).fill('first'), 'second'], further: [1] },
  ];
  const world = await makeWorld();
  const others = await makeAlerts(world.otherSite, 60);
  const ownerId = (await make.user()).id;
  const found: unknown[] = [];
  for (const { ofOthers, ofOwn = 0, raised } of ROWS) {
    const settings = { team_severity: 2, severity: 2 };
    const { id } = await makePerson(world, { is: ['home member'], settings });
    const own = (await make.site({ ownerId: id })).id;
    const first = (await make.site({ ownerId, organizationId: world.home })).id;
    const second = (await make.site({ ownerId, organizationId: world.home })).id;
    await putMessages(id, others.slice(0, ofOthers), {});
    if (ofOwn > 0) await putMessages(id, await makeAlerts(own, ofOwn), {});
    const siteIds = { own, first, second };
    const ids: number[] = [];
    for (const site of raised) ids.push(await make.alert(siteIds[site], { severity: 2 }));
    await store(ids.map((alertId) => eventOf('alert.raised', { alert_id: alertId })));
    const summaries = (await rows(id)).filter(({ kind }) => kind === 'further');
    const siteOf = summaries.map(({ site_id: siteId }) => (siteId === first ? 'first' : siteId));
    found.push([summaries.map(({ further_alerts: alerts }) => alerts), siteOf]);
  }
  expect(found).toEqual(
    ROWS.map(({ further }) => [further, further.map((alerts) => (alerts === 2 ? null : 'first'))]),
  );
});

it('a summary to one person takes no message from another', async () => {
  const world = await makeWorld();
  const settings = { team_severity: 2, escalation_minutes: 5 };
  const { id: busy } = await makePerson(world, { is: ['home member'], settings });
  const { id: siteId } = await make.site({ ownerId: (await make.user()).id, organizationId: world.home });
  await putMessages(busy, await makeAlerts(siteId, 20), {});
  const alertId = await make.alert(siteId, { severity: 3, raised_at: ago(6 * MINUTE_MS) });
  await store([eventOf('alert.raised', { alert_id: alertId })]);
  expect(await counts(busy)).toMatchObject({ critical: 0, further: [1] });
  const { id: other } = await makePerson(world, { is: ['home member'], settings });
  await escalate(db, now);
  expect(await counts(other)).toEqual({ critical: 1, others: 0, further: [] });
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
