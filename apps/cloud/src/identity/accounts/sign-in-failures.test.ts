import type { AuditEntry } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { SIGN_INS_PER_PAIR } from './limits.ts';

const HOUR_MS = 60 * 60 * 1000;

const { logger, lines } = tracingLogger();
let cloud: TestCloud;
let operator: TestUser;
let ada: TestUser;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud({}, logger);
  operator = await cloud.make.user({ staff: true });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await cloud.make.user();
  lines.length = 0;
});

const newAddress = () => `203.0.113.${++count}`;

const signIn = (password: string, from: string, email = ada.email) =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' }, from });

const failuresOf = async (userId: number) =>
  (
    await cloud.call<AuditEntry[]>(`GET /api/v1/audit?user_id=${userId}`, { token: operator.token })
  ).body.filter(({ action }) => action !== 'account.signed_in');

/** The records of failures, once they say as much. */
const recorded = (userId: number, ...expected: readonly object[]) =>
  vi.waitFor(async () => expect(await failuresOf(userId)).toMatchObject(expected), 10_000);

describe('SignInFailures', () => {
  it('a failed sign-in is recorded with the account and the address', async () => {
    const address = newAddress();
    expect((await signIn('Wrong-horse-7', address)).status).toBe(401);
    await recorded(ada.id, {
      action: 'account.sign_in_failed',
      actor: null,
      via: 'api',
      address,
      user_id: ada.id,
      user: { email: ada.email },
      details: { attempts: 1, last_attempt: new Date(cloud.clock.now()).toISOString() },
    });
  });

  it('failed sign-ins of one account from one network share one record an hour', async () => {
    const [here, there] = [newAddress(), newAddress()];
    for (let attempt = 0; attempt < 4; attempt++) await signIn('Wrong-horse-7', here);
    await recorded(ada.id, { address: here, details: { attempts: 4 } });
    await signIn('Wrong-horse-7', there);
    await recorded(ada.id, { address: there, details: { attempts: 1 } }, { address: here });
    cloud.clock.advance(HOUR_MS);
    await signIn('Wrong-horse-7', here);
    await recorded(
      ada.id,
      { address: here, details: { attempts: 1 } },
      { address: there },
      { address: here },
    );
  });

  it('a wrong password at the confirmation of a session is recorded', async () => {
    const token = await cloud.make.token(ada.id, { kind: 'session' });
    const body = { password: 'Wrong-horse-7' };
    expect((await cloud.call('POST /api/v1/session/confirm', { token, body })).status).toBe(422);
    await recorded(ada.id, { action: 'account.sign_in_failed', details: { attempts: 1 } });
  });

  it('a failed sign-in is logged without the typed text', async () => {
    const address = newAddress();
    await signIn('Wrong-horse-7', address);
    await recorded(ada.id, { address });
    const line = lines.find((text) => text.includes('sign-ins failed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ account: ada.id, address, attempts: 1 });
    expect(lines.join()).not.toContain('Wrong-horse-7');
    expect(lines.join()).not.toContain(ada.email);
  });

  it('a failed sign-in of an unknown email address is recorded without the address, which may be a password', async () => {
    const from = newAddress();
    const typed = 'My-secret-password@example.org';
    expect((await signIn('Wrong-horse-7', from, typed)).status).toBe(401);
    await vi.waitFor(async () => {
      const { body } = await cloud.call<AuditEntry[]>('GET /api/v1/audit?action=account.sign_in_failed', {
        token: operator.token,
      });
      expect(body[0]).toMatchObject({ address: from, user_id: null, details: { attempts: 1 } });
      expect(JSON.stringify(body)).not.toMatch(/my-secret/i);
    }, 10_000);
    expect(lines.join()).not.toMatch(/my-secret/i);
  });

  it('failed sign-ins of a hundred unknown addresses from one network make one record', async () => {
    const from = newAddress();
    const tries = Array.from({ length: 40 }, (_, n) =>
      signIn('Wrong-horse-7', from, `nobody-${n}@example.org`),
    );
    await Promise.all(tries);
    await vi.waitFor(async () => {
      const records = await cloud.db
        .selectFrom('audit_events')
        .select(['details'])
        .where('address', '=', from)
        .execute();
      expect(records).toEqual([{ details: expect.objectContaining({ attempts: 40 }) }]);
    }, 10_000);
  });
});

it('a lockout is recorded, and the refused attempts are counted in one record', async () => {
  const address = newAddress();
  for (let attempt = 0; attempt < SIGN_INS_PER_PAIR.points; attempt++) await signIn('Wrong-horse-7', address);
  for (let attempt = 0; attempt < 5; attempt++) expect((await signIn(PASSWORD, address)).status).toBe(429);
  await recorded(
    ada.id,
    { action: 'account.locked_out', address, user_id: ada.id, details: { attempts: 5 } },
    { action: 'account.sign_in_failed', details: { attempts: SIGN_INS_PER_PAIR.points } },
  );
});

describe('GET /user/audit', () => {
  const activity = async (token: string) =>
    (await cloud.call<AuditEntry[]>('GET /api/v1/user/audit', { token })).body;

  it('the audit of the own account lists sign-ins and failed ones, the newest first', async () => {
    const address = newAddress();
    await signIn('Wrong-horse-7', address);
    await recorded(ada.id, { address });
    const { body } = await signIn(PASSWORD, address);
    expect(await activity(String(body.token))).toMatchObject([
      { action: 'account.signed_in', actor: { id: ada.id }, address },
      { action: 'account.sign_in_failed', actor: null, address, details: { attempts: 1 } },
    ]);
  });

  it('the audit of the own account lists no other account, and hides names and addresses of other actors', async () => {
    const session = await cloud.make.token(ada.id, { kind: 'session' });
    const event = { at: new Date(cloud.clock.now()), via: 'api' as const, address: '198.51.100.7' };
    await cloud.db
      .insertInto('audit_events')
      .values([
        { ...event, action: 'account.changed', actor_id: operator.id, user_id: ada.id },
        { ...event, action: 'site_member.added', actor_id: operator.id, user_id: ada.id },
        { ...event, action: 'account.changed', actor_id: operator.id, user_id: operator.id },
      ])
      .execute();
    expect(await activity(session)).toMatchObject([
      { action: 'account.changed', actor: null, address: null },
    ]);
  });

  it('the audit in a session of an organization lists no tokens of other organizations', async () => {
    const [home, elsewhere] = [await cloud.make.organization(ada.id), await cloud.make.organization(ada.id)];
    const session = await cloud.make.token(ada.id, { kind: 'session' });
    for (const organization_id of [home, elsewhere, 'none']) {
      const body = { name: `of ${organization_id}`, scopes: ['sites:read_all'], organization_id };
      await cloud.call('POST /api/v1/user/tokens', { token: session, body });
    }
    const scoped = await cloud.make.token(ada.id, { kind: 'session', organizationId: home });
    expect(await activity(session)).toHaveLength(3);
    expect(await activity(scoped)).toMatchObject([{ details: { name: `of ${home}` } }]);
  });
});
