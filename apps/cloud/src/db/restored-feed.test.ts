import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startHttpsReceiver } from '../../test/https-receiver.ts';
import { cloudDatabase, startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { appendEvents } from './events.ts';

async function raise(cloud: TestCloud, siteId: number, detail: string): Promise<void> {
  const alertId = await cloud.make.alert(siteId, {
    ...{ rule: 'fault', kind: 'complaint', severity: 3, topic: 'inverter_1/fault', detail },
  });
  const data = { alert_id: alertId, times: 1 };
  await appendEvents(cloud.db, [{ type: 'alert.raised', at: new Date(cloud.clock.now()), siteId, data }]);
}

const PATIENCE = { timeout: 60_000, interval: 20 };

it('a database that was restored on a server with lower transaction numbers goes on with its events, mails and webhooks', async () => {
  await using receiver = await startHttpsReceiver();
  const { internet } = receiver;
  await using database = await cloudDatabase();
  await using before = await startTestCloud({}, undefined, { database, internet });
  const { id: ownerId, email } = await before.make.user();
  const { id: siteId } = await before.make.site({ ownerId, name: 'Barn' });
  await raise(before, siteId, 'DC busbar');
  await before.mail(email);
  const formerToken = await before.make.token(ownerId);
  const body = { name: 'New', url: 'https://localhost/new' };
  const made = await before.call('POST /api/v1/webhooks', { token: formerToken, body });
  expect(made.status).toBe(201);
  const busy = () =>
    before.db
      .selectFrom('webhooks')
      .select('id')
      .where((eb) =>
        eb.or([eb('next_at', '<=', new Date(before.clock.now())), eb('claimed_until', 'is not', null)]),
      )
      .execute();
  await expect.poll(busy, PATIENCE).toEqual([]);
  // The place of the webhook is behind all events.
  for (const [table, transaction] of Object.entries({ events: 8, event_cursors: 8, webhooks: 9 }))
    await sql`update ${sql.table(table)} set transaction = ${`9999999999${transaction}`}::xid8`.execute(
      before.db,
    );
  await sql`update webhooks set event_id = 0`.execute(before.db);

  await using after = await startTestCloud({}, undefined, { database, internet });
  const token = await after.make.token(ownerId);
  const read = (from: string) =>
    after.call<{ id: string; data: object }[]>(`GET /api/v1/events?type=alert${from}`, { token });
  const [first] = (await read('')).body;
  // As its reader got it before.
  const place = first?.id.replace(/-\d+-/, '-99999999998-');
  await raise(after, siteId, 'Fan');
  const subjects = async () => (await after.mails(email)).map(({ subject }) => subject);
  await expect
    .poll(subjects, PATIENCE)
    .toEqual(['Barn: Inverter 1 reports: DC busbar', 'New webhook New', 'Barn: Inverter 1 reports: Fan']);
  expect((await read('')).body).toHaveLength(2);
  const { body: following } = await read(`&after=${place}`);
  expect(following).toHaveLength(1);
  expect(following[0]?.id).not.toBe(first?.id);
  await expect.poll(() => receiver.received.length, PATIENCE).toBeGreaterThan(0);
  const sent = receiver.received.map(({ body: text }) => JSON.parse(`${text}`).id);
  expect(sent).toEqual(following.map(({ id }) => id));
});
