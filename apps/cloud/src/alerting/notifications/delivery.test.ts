import type { TestDatabase } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Factory } from '../../../test/factory.ts';
import { cloudDatabase, NOW } from '../../../test/test-cloud.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { MailJob, MailService } from '../../delivery/mail/service.ts';
import { sendMails } from './delivery.ts';
import { countOpenAlerts } from './open-alerts.ts';

let database: TestDatabase;
let db: Database;
let close: () => Promise<void>;
let make: Factory;
beforeAll(async () => {
  database = await cloudDatabase();
  ({ db, close } = openDatabase(database.url, () => undefined));
  make = new Factory(db, new ManualClock(NOW));
});
afterAll(async () => {
  await close?.();
  await database?.drop();
});
beforeEach(() => db.deleteFrom('notifications').execute());

const now = new Date(NOW);
const ahead = (ms: number): Date => new Date(NOW + ms);

type Message = Partial<Insertable<Schema['notifications']>> & { readonly user_id: number };

/** Stores messages that are due by mail, unless they say otherwise. @returns their ids */
async function put(messages: readonly Message[]): Promise<string[]> {
  const rows = messages.map((message) => ({
    ...{ channel: 'mail' as const, push_subscription_id: null, kind: 'raised' as const, urgency: 2 },
    ...{ alert_id: null, outage_id: null, state: 'waiting' as const, sent_at: null, failure: null },
    ...{ due_at: now, created_at: now, ...message },
  }));
  return (await db.insertInto('notifications').values(rows).returning('id').execute()).map(({ id }) => id);
}

describe('mails about alerts', () => {
  let jobs: Extract<MailJob, { readonly kind: 'alerts' }>[];
  const mail: Pick<MailService, 'enqueue'> = {
    enqueue: async (_tx, job) => void (job.kind === 'alerts' && jobs.push(job)),
  };
  beforeEach(() => {
    jobs = [];
  });

  const sent = async () =>
    (
      await db.selectFrom('notifications').select('id').where('state', '=', 'sent').orderBy('id').execute()
    ).map(({ id }) => id);

  const alertAt = async (siteId: number) => String(await make.alert(siteId));

  it('a person gets one mail about all that is due, the more urgent first, and about nothing else', async () => {
    const [user_id = 0, otherId = 0] = await make.users(2);
    const { id: siteId } = await make.site({ ownerId: user_id });
    const about = async (message: Partial<Message> = {}) => ({
      ...{ user_id, alert_id: await alertAt(siteId), ...message },
    });
    const [low, high, middle, alsoHigh] = await put([
      await about({ urgency: 1, due_at: ahead(-1) }),
      await about({ urgency: 3 }),
      await about(),
      await about({ urgency: 3 }),
      await about({ due_at: ahead(1) }),
      await about({ channel: 'ntfy' }),
      ...(await Promise.all((['sending', 'failed', 'skipped'] as const).map((state) => about({ state })))),
    ]);
    const [theirs] = await put([{ ...(await about()), user_id: otherId }]);
    expect(await sendMails(db, mail, now)).toBe(2);
    expect(await sent()).toEqual([low, high, middle, alsoHigh, theirs]);
    const job = { kind: 'alerts', organizationId: null };
    expect(jobs.toSorted((one, other) => one.userId - other.userId)).toEqual([
      { ...job, userId: user_id, notificationIds: [high, alsoHigh, middle, low], isCritical: true },
      { ...job, userId: otherId, notificationIds: [theirs], isCritical: false },
    ]);
    const rows = await db
      .selectFrom('notifications')
      .select(['attempts', 'sent_at'])
      .where('state', '=', 'sent')
      .execute();
    for (const row of rows) expect(row).toEqual({ attempts: 1, sent_at: now });
    expect(await sendMails(db, mail, now)).toBe(0);
  });

  it('a mail is in the name of the organization that looks after the site, or had the outage', async () => {
    const [ofAlert = 0, ofOutage = 0, ofBoth = 0, ofTest = 0] = await make.users(4);
    const [organization, elsewhere] = [await make.organization(), await make.organization()];
    const { id: siteId } = await make.site({ organizationId: organization });
    const outage = await db
      .insertInto('outages')
      .values({ organization_id: elsewhere, began_at: now, ended_at: null, sites: 10 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const began = { kind: 'began' as const, outage_id: outage.id };
    await put([
      { user_id: ofAlert, alert_id: await alertAt(siteId) },
      { user_id: ofOutage, ...began },
      { user_id: ofBoth, ...began },
      { user_id: ofBoth, alert_id: await alertAt(siteId) },
      { user_id: ofTest, kind: 'test' },
    ]);
    await sendMails(db, mail, now);
    const organizationOf = (id: number) => jobs.find(({ userId }) => userId === id)?.organizationId;
    expect([ofAlert, ofOutage, ofBoth, ofTest].map(organizationOf)).toEqual([
      ...[organization, elsewhere, organization, null],
    ]);
  });

  it('messages that another process hands over are left to it', async () => {
    const [user_id = 0] = await make.users(1);
    const { id: siteId } = await make.site({ ownerId: user_id });
    const [taken = '', free] = await put([
      { user_id, alert_id: await alertAt(siteId) },
      { user_id, alert_id: await alertAt(siteId) },
    ]);
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('notifications').select('id').where('id', '=', taken).forUpdate().execute();
      expect(await sendMails(db, mail, now)).toBe(1);
    });
    expect(jobs).toMatchObject([{ notificationIds: [free] }]);
    expect(await sent()).toEqual([free]);
  });
});

it('the count of open alerts is that of the sites that the account sees now, 200 at most', async () => {
  const [owner, operator, stranger] = [
    await make.user(),
    await make.user({ staff: true }),
    await make.user(),
  ];
  const [{ id: own }, { id: other }] = [
    await make.site({ ownerId: owner.id }),
    await make.site({ ownerId: stranger.id }),
  ];
  await db.deleteFrom('alerts').execute();
  for (const severity of [1, 3]) await make.alert(own, { severity });
  await make.alert(own, { cleared_at: now });
  await make.alert(other);
  const counts = async () => [await countOpenAlerts(db, owner.id), await countOpenAlerts(db, operator.id)];
  expect(await counts()).toEqual([2, 3]);
  await Promise.all(Array.from({ length: 197 }, () => make.alert(own)));
  expect(await counts()).toEqual([199, 200]);
  for (let n = 1; n <= 2; n++) await make.alert(own);
  expect(await counts()).toEqual([200, 200]);
});
