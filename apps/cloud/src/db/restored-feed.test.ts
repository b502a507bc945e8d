import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { cloudDatabase, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { appendEvents } from './events.ts';

async function raise(cloud: TestCloud, siteId: number, detail: string): Promise<void> {
  const alertId = await cloud.make.alert(siteId, {
    ...{ rule: 'fault', kind: 'complaint', severity: 3, topic: 'inverter_1/fault', detail },
  });
  const data = { alert_id: alertId, times: 1 };
  await appendEvents(cloud.db, [{ type: 'alert.raised', at: new Date(cloud.clock.now()), siteId, data }]);
}

const PATIENCE = { timeout: 60_000, interval: 20 };

it('a database that was restored on a server with lower transaction numbers goes on with its events and mails', async () => {
  await using database = await cloudDatabase();
  await using before = await startTestCloud({}, undefined, { database });
  const { id: ownerId, email } = await before.make.user();
  const { id: siteId } = await before.make.site({ ownerId, name: 'Barn' });
  await raise(before, siteId, 'DC busbar');
  await before.mail(email);
  for (const table of ['events', 'event_cursors'])
    await sql`update ${sql.table(table)} set transaction = '99999999999'`.execute(before.db);

  await using after = await startTestCloud({}, undefined, { database });
  await raise(after, siteId, 'Fan');
  const subjects = async () => (await after.mails(email)).map(({ subject }) => subject);
  await expect
    .poll(subjects, PATIENCE)
    .toEqual(['Barn: Inverter 1 reports: DC busbar', 'Barn: Inverter 1 reports: Fan']);
  const token = await after.make.token(ownerId);
  const { body } = await after.call<object[]>('GET /api/v1/events?type=alert', { token });
  expect(body).toHaveLength(2);
});
