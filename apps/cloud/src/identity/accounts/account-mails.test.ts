import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOME = '203.0.113.7';
const NEIGHBOUR = '203.0.113.200';
const ELSEWHERE = '198.51.100.7';

let cloud: TestCloud;
let ada: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  ada = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function signIn(from: string, user = ada): Promise<void> {
  const body = { email: user.email, password: PASSWORD, organization_id: 'none' };
  expect((await cloud.call('POST /api/v1/sign_in', { body, from })).status).toBe(200);
}

/** Mails to an account, after those that were queued before have gone. */
async function mailsTo(user: TestUser) {
  await vi.waitFor(async () => {
    const waiting = await cloud.db
      .selectFrom('deliveries')
      .selectAll()
      .where('due_at', 'is not', null)
      .execute();
    expect(waiting).toEqual([]);
  }, 10_000);
  return cloud.mails(user.email);
}

describe('a changed password', () => {
  it('a password change is mailed with its time, its address and advice', async () => {
    const token = await cloud.make.oneTimeToken('reset', { userId: ada.id });
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    await cloud.call(`PUT /api/v1/password/reset/${token}`, { body, from: HOME });
    const { subject, text } = await cloud.mail(ada.email);
    expect(subject).toBe('The password of your Heliograph account was changed');
    expect(text).toContain(`Address: ${HOME}`);
    expect(text).toMatch(/Time: June 21, 2026.*10:00.*UTC/);
    expect(text).toContain('If this was not you, choose another password at once');
    expect(text).toContain(`${cloud.url}/password`);
  });

  it("a password change is mailed in the account's language and in its organization's name", async () => {
    const home = await cloud.make.organization();
    const user = await cloud.make.user({ customerOf: home });
    await cloud.db.updateTable('users').set({ locale: 'de' }).where('id', '=', user.id).execute();
    const token = await cloud.make.oneTimeToken('invite', { userId: user.id });
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    await cloud.call(`PUT /api/v1/password/set/${token}`, { body, from: HOME });
    const { subject, text } = await cloud.mail(user.email);
    expect(subject).toMatch(/^Das Passwort Ihres Kontos bei Organization \d+ wurde geändert$/);
    expect(text).toContain(`Adresse: ${HOME}`);
    expect(text).toContain('21. Juni 2026');
  });

  it('a refused password change is not mailed', async () => {
    const token = await cloud.make.oneTimeToken('reset', { userId: ada.id });
    const body = { password: 'Password1', organization_id: 'none' };
    await cloud.call(`PUT /api/v1/password/reset/${token}`, { body });
    expect(await mailsTo(ada)).toEqual([]);
  });
});

describe('a new API token', () => {
  const create = async (user: TestUser, name = 'Grafana') => {
    const session = await cloud.make.token(user.id, { kind: 'session' });
    const body = { name, scopes: ['sites:read_all', 'users:read_all'] };
    return cloud.call('POST /api/v1/user/tokens', { token: session, body, from: HOME });
  };

  it('a new API token is mailed with its name and scopes, and without the token', async () => {
    const { body } = await create(ada);
    const { subject, text, html } = await cloud.mail(ada.email);
    expect(subject).toBe('New API token for your Heliograph account');
    expect(text).toContain('“Grafana”');
    expect(text).toMatch(/It may: read all sites that you see.*; read the directory of people\./);
    expect(text).toContain(`Address: ${HOME}`);
    expect(text).toContain(`${cloud.url}/user/tokens`);
    expect(text).toContain('revoke the token on that page at once');
    expect(text + html).not.toContain(String(body.token));
  });

  it('a new API token is not mailed to an unconfirmed address', async () => {
    const user = await cloud.make.user({ confirmed: false });
    expect((await create(user)).status).toBe(201);
    expect(await mailsTo(user)).toEqual([]);
  });
});

describe('a sign-in from an unknown network', () => {
  it('a sign-in from an unknown network is mailed, unlike the very first one and those from known networks', async () => {
    await signIn(HOME);
    await signIn(NEIGHBOUR);
    await signIn(ELSEWHERE);
    await signIn(ELSEWHERE);
    const { subject, text } = await cloud.mail(ada.email);
    expect(subject).toBe('New sign-in to your Heliograph account');
    expect(text).toContain(`Address: ${ELSEWHERE}`);
    expect(text).toContain(`${cloud.url}/user/security`);
    expect(text).toContain('end the session on that page');
    expect(await mailsTo(ada)).toHaveLength(1);
  });

  it('an IPv6 /48 counts as one network', async () => {
    await signIn('2001:db8:1:1::1');
    await signIn('2001:db8:1:2::1');
    expect(await mailsTo(ada)).toEqual([]);
    await signIn('2001:db8:2:1::1');
    expect(await mailsTo(ada)).toHaveLength(1);
  });

  it('a network is unknown again after 90 days without a sign-in', async () => {
    await signIn(HOME);
    await signIn(ELSEWHERE);
    cloud.clock.advance(90 * DAY_MS - 1);
    await signIn(HOME);
    expect(await mailsTo(ada)).toHaveLength(1);
    cloud.clock.advance(1);
    await signIn(ELSEWHERE);
    expect(await mailsTo(ada)).toHaveLength(2);
  });

  it('sign-ins from unknown networks are mailed a few times a day at most', async () => {
    for (let network = 0; network < 10; network++) await signIn(`192.0.${network}.1`);
    expect(await mailsTo(ada)).toHaveLength(4);
  });

  it('a wrong password from an unknown network is not mailed', async () => {
    await signIn(HOME);
    const body = { email: ada.email, password: 'Wrong-horse-7', organization_id: 'none' };
    await cloud.call('POST /api/v1/sign_in', { body, from: ELSEWHERE });
    expect(await mailsTo(ada)).toEqual([]);
  });
});
