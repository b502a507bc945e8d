import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLOUD_URL, enqueue, startTestMail, type TestMail } from '../../../test/delivery/mail/test-mail.ts';
import { requireEmail } from '../../common/require-email.ts';
import { readOneTimeToken } from '../../db/one-time-tokens.ts';
import type { MailJob, MailService } from './service.ts';

const HOUR_MS = 60 * 60 * 1000;

let mails: TestMail;
let service: MailService;
beforeAll(async () => {
  mails = await startTestMail();
  service = await mails.service({ kind: 'mailbox' });
});
beforeEach(() => mails.db.deleteFrom('mailbox_messages').execute());
afterAll(() => mails?.[Symbol.asyncDispose]());

async function mailed(...jobs: readonly MailJob[]) {
  await enqueue(mails.db, service, ...jobs);
  await mails.settled();
  return mails.db.selectFrom('mailbox_messages').selectAll().orderBy('id').execute();
}

/** The one mail of a job. */
async function mailOf(job: MailJob) {
  const [mail, ...others] = await mailed(job);
  expect(others).toEqual([]);
  if (mail === undefined) throw new Error('Nothing was mailed');
  return mail;
}

const tokenIn = (text: string) => /#[a-z/]+\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('the link in a mail', () => {
  it.each([
    ['confirmation', 'confirm', 24],
    ['reset', 'reset', 2],
    ['invitation', 'invite', 7 * 24],
  ] as const)(
    'the link of a %s has a token to %s with a lifetime of %i hours',
    async (kind, purpose, hours) => {
      const { id, email } = await mails.account({ confirmed: false });
      const organizationId = await mails.organization();
      await mails.employ(id, organizationId);
      const mail = await mailOf({ kind, userId: id, email, organizationId, siteId: null, invitedBy: null });
      const token = tokenIn(mail.text);
      expect(mail.html).toContain(token);
      const at = (ms: number) => readOneTimeToken(mails.db, purpose, token, mails.clock.now() + ms);
      expect(await at(hours * HOUR_MS - 1)).toMatchObject({
        userId: id,
        organizationId,
        acceptsEmployment: false,
      });
      expect(await at(hours * HOUR_MS)).toBeUndefined();
    },
  );

  it('the link to a new email address works for 24 hours after its mail, however late that is sent', async () => {
    const { id } = await mails.account();
    const email = 'later@example.org';
    const requested = { user_id: id, email, expires_at: new Date(mails.clock.now() + 1) };
    await mails.db.insertInto('email_changes').values(requested).execute();
    const mail = await mailOf({ kind: 'emailChange', userId: id, email, organizationId: null });
    expect(mail.recipient).toBe(email);
    const at = (ms: number) =>
      readOneTimeToken(mails.db, 'email_change', tokenIn(mail.text), mails.clock.now() + ms);
    expect(await at(24 * HOUR_MS - 1)).toMatchObject({ userId: id });
    expect(await at(24 * HOUR_MS)).toBeUndefined();
    const { expires_at } = await mails.db
      .selectFrom('email_changes')
      .select('expires_at')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime()).toBe(mails.clock.now() + 24 * HOUR_MS);
  });

  it('a link leads to the page that clients expect', async () => {
    const registered = await mails.account({ confirmed: false });
    const invited = await mails.account({ confirmed: false, password: null });
    const site = await mails.site(invited.id);
    const written = await mailed(
      { kind: 'confirmation', userId: registered.id, organizationId: null },
      { kind: 'reset', email: registered.email.toUpperCase(), organizationId: null },
      { kind: 'invitation', userId: invited.id, organizationId: null, siteId: site, invitedBy: null },
    );
    const links = written.map(({ text }) =>
      /^https:.*$/m.exec(text)?.[0].replace(/hg\w+_[\w-]{43}/, '<token>'),
    );
    expect(links.sort()).toEqual([
      `${CLOUD_URL}/sign_in#confirm/<token>`,
      `${CLOUD_URL}/sign_in#password/reset/<token>`,
      `${CLOUD_URL}/sign_in#password/set/<token>?site_id=${site}`,
    ]);
  });

  it('the token of a link is not in the queue', async () => {
    const { id } = await mails.account({ confirmed: false });
    const mail = await mailOf({ kind: 'confirmation', userId: id, organizationId: null });
    expect(await mails.queued()).not.toContain(tokenIn(mail.text));
  });
});

describe('the registration code in the mail about a released site', () => {
  it.each([
    ['of the site that the device lost last', true, 7],
    ['of a site before it, whose mail comes late', false, 6],
  ])('the mail %s has a code: %s', async (_what, hasCode, siteId) => {
    const uid = `lost-${siteId}`;
    await mails.db.insertInto('devices').values({ uid, former_site_id: 7 }).execute();
    const { id: userId } = await mails.account();
    const about = { organizationId: null, siteName: 'home', actorId: userId, at: '2026-06-01T00:00:00Z' };
    const { text } = await mailOf({
      kind: 'siteReleased',
      reader: 'owner',
      userId,
      siteId,
      deviceUid: uid,
      ...about,
    });
    expect(/works once, for seven days: [0-9A-Z-]{23}\./.test(text)).toBe(hasCode);
  });
});

describe('MailWriter without a mail', () => {
  it('an unknown address and an obsolete job get no mail', async () => {
    const done = await mails.account();
    const invited = await mails.account({ confirmed: false, password: null });
    const requested = {
      user_id: done.id,
      email: 'second@example.org',
      expires_at: new Date(mails.clock.now() + 1),
    };
    await mails.db.insertInto('email_changes').values(requested).execute();
    expect(
      await mailed(
        { kind: 'reset', email: 'nobody@example.org', organizationId: null },
        { kind: 'confirmation', userId: done.id, organizationId: null },
        { kind: 'emailChange', userId: done.id, email: 'first@example.org', organizationId: null },
        { kind: 'emailChange', userId: invited.id, email: 'second@example.org', organizationId: null },
        { kind: 'confirmation', userId: invited.id, organizationId: null },
        { kind: 'invitation', userId: done.id, organizationId: null, siteId: null, invitedBy: null },
        { kind: 'confirmation', userId: 2_147_483_647, organizationId: null },
      ),
    ).toEqual([]);
  });

  it('no link goes to an address that the account loses while the mail is written', async () => {
    const { id, email } = await mails.account();
    await mails.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${id} for no key update`.execute(tx);
      await enqueue(mails.db, service, { kind: 'reset', email, organizationId: null });
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting.execute(mails.db)).rows.length).toBe(1);
      await tx
        .updateTable('users')
        .set({ email: requireEmail(`new-${email}`) })
        .where('id', '=', id)
        .execute();
    });
    await mails.settled();
    expect(await mails.mailbox(email)).toEqual([]);
    const tokens = mails.db.selectFrom('one_time_tokens').select('purpose').where('user_id', '=', id);
    expect(await tokens.execute()).toEqual([]);
  });

  it('a transaction that is rolled back sends no mail', async () => {
    const { id } = await mails.account({ confirmed: false });
    const failing = mails.db.transaction().execute(async (tx) => {
      await service.enqueue(tx, { kind: 'confirmation', userId: id, organizationId: null });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await mailed()).toEqual([]);
  });
});

describe('a mail in the name of an organization', () => {
  let count = 0;

  it.each([
    ['staff', async () => (await mails.account({ staff: true })).email, true],
    ['its employee', async (id: number) => mails.with((user) => mails.employ(user, id)), true],
    ['its customer', async (id: number) => (await mails.account({ organizationId: id })).email, true],
    ["a site's owner", async (id: number) => mails.with((user) => mails.site(user, id)), true],
    ["a site's member", async (id: number) => mails.with((user) => mails.siteMember(user, id)), true],
    ['a stranger', async () => (await mails.account()).email, false],
  ])('a reset for %s has the right sender', async (_who, emailIn, branded) => {
    const name = `Sun & Co ${++count}`;
    const host = `sun-${count}.example`;
    const organizationId = await mails.organization({ name, cloud_host: host });
    const email = await emailIn(organizationId);
    const { subject, text } = await mailOf({ kind: 'reset', email, organizationId });
    expect(subject).toBe(`Choose a new password for ${branded ? name : 'Heliograph'}`);
    expect(text).toContain(branded ? `https://${host}/sign_in#` : `${CLOUD_URL}/sign_in#`);
    const token = await readOneTimeToken(mails.db, 'reset', tokenIn(text), mails.clock.now());
    expect(token?.organizationId).toBe(branded ? organizationId : null);
  });

  it('a link leads to no unvetted host', async () => {
    const organizationId = await mails.organization({
      cloud_host: 'claimed.example',
      cloud_host_vetted: false,
    });
    const { email } = await mails.account({ organizationId });
    const { text } = await mailOf({ kind: 'reset', email, organizationId });
    expect(text).toContain(`${CLOUD_URL}/sign_in#`);
  });

  it("a mail has the organization's colour, and its logo if mail programs show it", async () => {
    const organizationId = await mails.organization({ color1: '#ffd400' });
    const { email } = await mails.account({ organizationId });
    const plain = await mailOf({ kind: 'reset', email, organizationId });
    expect(plain.html).toContain('bgcolor="#ffd400"');
    expect(plain.html).not.toContain('<img');
    const logo = {
      organization_id: organizationId,
      media_type: 'image/svg+xml',
      digest: 'd',
      bytes: Buffer.of(1),
    };
    await mails.db.insertInto('organization_logos').values(logo).execute();
    const [, vector] = await mailed({ kind: 'reset', email, organizationId });
    expect(vector?.html).not.toContain('<img');
    await mails.db.updateTable('organization_logos').set({ media_type: 'image/png' }).execute();
    const [, , pixels] = await mailed({ kind: 'reset', email, organizationId });
    expect(pixels?.html).toContain(`src="${CLOUD_URL}/api/v1/organizations/${organizationId}/logo"`);
  });
});

describe('the text of an invitation', () => {
  const invite = (userId: number, siteId: number | null, organizationId: number | null, invitedBy: number) =>
    mailOf({ kind: 'invitation', userId, siteId, organizationId, invitedBy });

  it('an invitation names the site and the inviter', async () => {
    const owner = await mails.account({ firstName: 'Grace', lastName: 'Hopper' });
    const { id } = await mails.account({ confirmed: false });
    const { text } = await invite(id, await mails.site(owner.id, null, 'roof'), null, owner.id);
    expect(text).toContain('access to the solar site roof at Heliograph');
    expect(text).toContain('comes from Grace Hopper.');
  });

  it.each([
    ['an inviter without a name is shown by email', { firstName: '', lastName: '' }, true],
    ['an operator without a name is not shown', { firstName: '', lastName: '', staff: true }, false],
    ['an inviter whose name is a link is not shown', { firstName: 'evil.example' }, false],
  ])('%s', async (_what, options, isShown) => {
    const inviter = await mails.account(options);
    const { id } = await mails.account({ confirmed: false });
    const { text } = await invite(id, await mails.site(inviter.id), null, inviter.id);
    expect(text.includes(`comes from ${inviter.email}.`)).toBe(isShown);
    expect(text.includes('comes from')).toBe(isShown);
  });

  it('an invitation without a site names the team', async () => {
    const organizationId = await mails.organization({ name: 'Sun' });
    const { id } = await mails.account({ confirmed: false });
    await mails.employ(id, organizationId);
    const { text } = await invite(id, null, organizationId, id);
    expect(text).toContain('join the Sun team');
  });
});

it('HTML and URLs in names have no effect', async () => {
  const organizationId = await mails.organization({ name: '<img src=x onerror=alert(1)>' });
  const owner = await mails.account({ firstName: 'Win at http://evil.example' });
  const { id } = await mails.account({ confirmed: false, firstName: '<b>visit evil.example</b>' });
  const siteId = await mails.site(owner.id, organizationId, '"><script>alert(2)</script>');
  await mails.db
    .insertInto('site_members')
    .values({ site_id: siteId, user_id: id, role: 'member' })
    .execute();
  const job = { kind: 'invitation', userId: id, siteId, organizationId, invitedBy: owner.id } as const;
  const { html, text } = await mailOf(job);
  expect(html).not.toMatch(/<script|<img|<b>/);
  expect(html).toContain('&lt;script&gt;alert(2)');
  expect(html + text).not.toContain('evil.example');
  expect(text).toMatch(/^Hello,\n/);
});
