import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const HTML = '<b onclick="alert(1)">dark</b>';

let cloud: TestCloud;
let organization: number;
let clerk: TestUser;
let colleague: TestUser;
let customer: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await cloud.make.organization();
  clerk = await cloud.make.employee(organization);
  colleague = await cloud.make.employee(organization);
  customer = await cloud.make.user({ customerOf: organization });
});

const open = async (token = customer.token) =>
  Number(
    (
      await cloud.call('POST /api/v1/user/tickets', {
        token,
        body: { subject: 'No <sun>', body: HTML },
      })
    ).body.id,
  );
const reply = (id: number, body: object, token = clerk.token) =>
  cloud.call(`POST /api/v1/tickets/${id}/replies`, { token, body });
const subjectsTo = async ({ email }: TestUser) => (await cloud.mails(email)).map(({ subject }) => subject);

it('a new ticket is confirmed to its requester, and mailed to all who handle it', async () => {
  const id = await open();
  const received = await cloud.mail(customer.email);
  expect(received.subject).toBe(`We received your request ${id}: No <sun>`);
  expect(received.text).toContain(`${cloud.url}/user/tickets/${id}`);
  expect(received.text).not.toContain('dark');
  for (const { email } of [clerk, colleague]) {
    const mail = await cloud.mail(email);
    expect(mail.subject).toBe(`New request ${id}: No <sun>`);
    expect(mail.text).toContain(`Ada Example (${customer.email}) wrote:\n\n${HTML}\n`);
    expect(mail.text).toContain(
      `Open the request:\n${cloud.url}/organizations/${organization}/tickets/${id}\n`,
    );
    expect(mail.html).toContain('&lt;b onclick=');
    expect(mail.html).not.toContain('<b onclick');
  }
});

it('a reply goes to the other side, from support without an address, to the assignee alone where there is one', async () => {
  const id = await open();
  await cloud.mail(customer.email);
  await Promise.all([cloud.mail(clerk.email), cloud.mail(colleague.email)]);
  await reply(id, { body: 'Wait\n\nfor the morning.' });
  const answer = await cloud.mail(customer.email);
  expect(answer.subject).toBe(`Reply to request ${id}: No <sun>`);
  expect(answer.text).toMatch(/Ada Example \(Organization \d+\) wrote:\n\nWait\n\nfor the morning\.\n/);
  expect(answer.text + answer.html).not.toContain(clerk.email);

  await cloud.call(`PATCH /api/v1/tickets/${id}`, { token: clerk.token, body: { assignee_id: clerk.id } });
  await cloud.call(`POST /api/v1/user/tickets/${id}/replies`, {
    token: customer.token,
    body: { body: 'It is there.' },
  });
  expect((await cloud.mail(clerk.email)).text).toContain('It is there.');
  expect(await subjectsTo(colleague)).toHaveLength(1);
});

it('a new assignee is mailed once, and no mail goes to an assignee who took the ticket', async () => {
  const id = await open();
  await Promise.all([cloud.mail(clerk.email), cloud.mail(colleague.email)]);
  const assign = (userId: number | null) =>
    cloud.call(`PATCH /api/v1/tickets/${id}`, { token: clerk.token, body: { assignee_id: userId } });
  for (const userId of [clerk.id, colleague.id, colleague.id])
    expect((await assign(userId)).status).toBe(200);
  const mail = await cloud.mail(colleague.email);
  expect(mail.subject).toBe(`Request ${id} was assigned to you: No <sun>`);
  expect(mail.text).toContain(`${cloud.url}/organizations/${organization}/tickets/${id}`);
  await assign(null);
  await reply(id, { body: 'The end of the queue', internal: true });
  expect((await cloud.mail(colleague.email)).subject).toBe(`Note on request ${id}: No <sun>`);
  expect(await subjectsTo(clerk)).toEqual([`New request ${id}: No <sun>`]);
});

it('a note is mailed among those who handle the ticket, and never to the customer', async () => {
  const id = await open();
  await cloud.mail(customer.email);
  await Promise.all([cloud.mail(clerk.email), cloud.mail(colleague.email)]);
  await reply(id, { body: 'Secret thought', internal: true });
  const note = await cloud.mail(colleague.email);
  expect([note.subject, note.text]).toEqual([
    `Note on request ${id}: No <sun>`,
    expect.stringContaining('Secret thought'),
  ]);
  await cloud.call(`PATCH /api/v1/tickets/${id}`, { token: clerk.token, body: { state: 'resolved' } });
  expect((await cloud.mail(customer.email)).subject).toBe(`Request ${id} is resolved: No <sun>`);
  const all = await cloud.mails(customer.email);
  expect(all).toHaveLength(2);
  expect(JSON.stringify(all)).not.toContain('Secret');
  expect(await subjectsTo(clerk)).toHaveLength(1);
});

it('a ticket that is handed over is new to the operator', async () => {
  const operator = await cloud.make.user({ staff: true });
  const id = await open();
  await cloud.mail(customer.email);
  await cloud.call(`PATCH /api/v1/tickets/${id}`, { token: clerk.token, body: { organization_id: null } });
  expect((await cloud.mail(operator.email)).subject).toBe(`New request ${id}: No <sun>`);
});

it('a mail is in the language of its reader', async () => {
  await cloud.db.updateTable('users').set({ locale: 'de' }).where('id', '=', customer.id).execute();
  const id = await open();
  expect((await cloud.mail(customer.email)).subject).toBe(`Wir haben Ihre Anfrage ${id} erhalten: No <sun>`);
});
