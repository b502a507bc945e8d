import { tagOf } from '@heliograph/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestMailServer } from '../../../test/delivery/mail/mail-server.ts';
import { enqueue, FROM, startTestMail, type TestMail } from '../../../test/delivery/mail/test-mail.ts';

let mails: TestMail;
beforeAll(async () => {
  mails = await startTestMail();
});
afterEach(() => mails.stopServices());
afterAll(() => mails?.[Symbol.asyncDispose]());

/** Sends one reset mail to an account and returns it as the mail server got it. */
async function received(
  server: TestMailServer,
  account: Parameters<TestMail['account']>[0],
  organizationId: number | null = null,
) {
  const { email } = await mails.account(account);
  const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
  await enqueue(mails.db, service, { kind: 'reset', email, organizationId });
  await expect.poll(() => server.to(email), { interval: 10, timeout: 5_000 }).toHaveLength(1);
  const [mail] = server.to(email);
  if (mail === undefined) throw new Error('There is no mail');
  return mail;
}

describe('SmtpTransport', () => {
  it.each([
    ['zh_CN', '小明', '王', '王小明，您好！', '王小明'],
    ['hu', 'Péter', 'Kovács', 'Tisztelt Kovács Péter!', 'Kovács Péter'],
    ['vi', 'Văn An', 'Nguyễn', 'Xin chào Văn An,', 'Nguyễn Văn An'],
    ['de', '小明', '王', 'Guten Tag 小明,', '王小明'],
  ] as const)('a mail in %s to %s %s begins with %s', async (locale, firstName, lastName, greeting, name) => {
    await using server = await new TestMailServer({}).start();
    const { mail } = await received(server, { locale, firstName, lastName });
    expect(mail.to).toMatchObject([{ name }]);
    expect(mail.text).toMatch(new RegExp(`^${greeting}\n`));
  });

  it.each([
    ['en', 'Choose a new password for Heliograph', 'Hello Zoë,'],
    ['zh_TW', '請為 Heliograph 設定新密碼', 'Zoë Ö，您好：'],
    ['el', 'Επιλέξτε νέο κωδικό πρόσβασης για Heliograph', 'Γεια σας, Zoë,'],
  ] as const)('a mail has text and HTML in %s', async (locale, subject, greeting) => {
    await using server = await new TestMailServer({}).start();
    const { mail, sender, raw } = await received(server, { locale, firstName: 'Zoë', lastName: 'Ö' });
    expect(sender).toBe(FROM.address);
    expect(mail).toMatchObject({ subject, from: { name: FROM.name, address: FROM.address } });
    expect(mail.to).toEqual([{ name: 'Zoë Ö', address: expect.stringContaining('@example.org') }]);
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain(greeting);
      expect(form).toMatch(/https:\/\/cloud\.example\.org\/sign_in#password\/reset\/[\w-]{40,}/);
    }
    expect(mail.html).toContain(`lang="${tagOf(locale)}"`);
    expect(mail.messageId).toMatch(/^<[\da-f-]{36}@sender\.example>$/);
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    // Lines longer than 998 bytes, and bytes beyond ASCII, do not survive every server.
    expect(Buffer.from(raw, 'ascii').toString('ascii')).toBe(raw);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(999);
  });

  it('a mail program ends mails about alerts with one click', async () => {
    await using server = await new TestMailServer({}).start();
    const { id: userId, email } = await mails.account({});
    const at = new Date(mails.clock.now());
    const { id } = await mails.db
      .insertInto('notifications')
      .values({
        ...{ user_id: userId, channel: 'mail', push_subscription_id: null, kind: 'test', alert_id: null },
        ...{ outage_id: null, state: 'sent', due_at: at, created_at: at, sent_at: at, failure: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
    const job = { kind: 'alerts', userId, organizationId: null, notificationIds: [id] } as const;
    await enqueue(mails.db, service, job);
    await expect.poll(() => server.to(email), { interval: 10, timeout: 5_000 }).toHaveLength(1);
    const headers = new Map(server.to(email)[0]?.mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headers.get('list-unsubscribe')).toMatch(
      new RegExp(
        `^<https://cloud\\.example\\.org/api/v1/notification_mails/unsubscribe\\?token=${userId}\\.[\\w-]{43}>$`,
      ),
    );
  });

  it('a mail has the name of the organization and the address of the service', async () => {
    await using server = await new TestMailServer({}).start();
    const organizationId = await mails.organization({ name: 'Müller & Söhne, "Solar"' });
    const { mail } = await received(server, { organizationId }, organizationId);
    expect(mail.from).toMatchObject({ name: 'Müller & Söhne, "Solar"', address: FROM.address });
    expect(mail.subject).toBe('Choose a new password for Müller & Söhne, "Solar"');
  });

  it('the headers of a mail are right with any name', async () => {
    await using server = await new TestMailServer({}).start();
    const evil = 'Eve\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>';
    const organizationId = await mails.organization({ name: `Org ${evil}` });
    const { mail, recipients, raw } = await received(
      server,
      { firstName: evil, lastName: '"<a@b.example>, ' },
      organizationId,
    );
    expect(recipients).toHaveLength(1);
    expect(mail.to).toHaveLength(1);
    expect(mail.bcc).toBeUndefined();
    expect(raw).not.toMatch(/^bcc:/im);
    expect(mail.html).not.toContain('<script');
  });

  it('a mail has one recipient, even with an address that looks like a list', async () => {
    await using server = await new TestMailServer({}).start();
    const email = 'a@example.org, b@example.org';
    await mails.account({ email });
    const service = await mails.service({ kind: 'smtp', url: server.url, from: FROM });
    const other = await mails.account({});
    await enqueue(mails.db, service, { kind: 'reset', email, organizationId: null });
    await enqueue(mails.db, service, { kind: 'reset', email: other.email, organizationId: null });
    await expect.poll(() => server.to(other.email), { interval: 10 }).toHaveLength(1);
    expect(server.received.flatMap(({ recipients }) => recipients)).not.toContain('b@example.org');
  });
});

describe('SmtpTransport with a password', () => {
  const auth = { user: 'heliograph', password: 'p@ss:w/rd' };

  it.each([
    ['TLS from the first byte on (smtps://)', true],
    ['STARTTLS (smtp://)', false],
  ])('the password is sent only with %s', async (_how, secure) => {
    await using server = await new TestMailServer({ secure, auth }).start();
    expect(await received(server, {})).toMatchObject({ secure: true, user: auth.user });
  });
});
