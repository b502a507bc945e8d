import type { Locale } from '@heliograph/contracts';
import { expect, it } from 'vitest';
import { startTestCloud } from '../../../test/test-cloud.ts';

it.each<[Locale, first: string, last: string, shown: string]>([
  ['hu', 'Péter', 'Kovács', 'Kovács Péter'],
  ['de', 'Péter', 'Kovács', 'Péter Kovács'],
  ['zh_CN', 'Олена', 'Шевченко', 'Олена Шевченко'],
  ['de', '小明', '王', '王小明'],
])(
  'a reader in %s finds the person %s %s as %s in answers and mails',
  async (locale, first_name, last_name, shown) => {
    await using cloud = await startTestCloud();
    const organization = await cloud.make.organization();
    const [clerk, operator] = [
      await cloud.make.employee(organization),
      await cloud.make.user({ staff: true }),
    ];
    const customer = await cloud.make.user({ customerOf: organization });
    await cloud.db.updateTable('users').set({ locale }).where('id', 'in', [clerk.id, operator.id]).execute();
    await cloud.db
      .updateTable('users')
      .set({ first_name, last_name })
      .where('id', 'in', [customer.id, clerk.id])
      .execute();
    const body = { subject: 'No sun', body: 'It is dark.' };
    const { body: ticket } = await cloud.call('POST /api/v1/user/tickets', { token: customer.token, body });
    const read = await cloud.call(`GET /api/v1/tickets/${ticket.id}`, { token: clerk.token });
    expect(read.body).toMatchObject({ messages: [{ author: { name: shown } }] });
    expect((await cloud.mail(clerk.email)).text).toContain(`${shown} (${customer.email})`);
    const change = { token: clerk.token, body: { assignee_id: clerk.id } };
    expect((await cloud.call(`PATCH /api/v1/tickets/${ticket.id}`, change)).body).toMatchObject({
      assignee: { name: shown },
    });
    const events = await cloud.call('GET /api/v1/audit', { token: operator.token });
    expect(events.body).toContainEqual(
      expect.objectContaining({
        action: 'ticket.changed',
        actor: { id: clerk.id, email: clerk.email, name: shown },
      }),
    );
  },
);
