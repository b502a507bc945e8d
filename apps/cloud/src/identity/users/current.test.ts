import { LOCALES, type Scope } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let ada: TestUser;
let organizationId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user({ email: 'Ada@example.org', phoneNumber: '+44 20 7946 0018' });
  organizationId = await cloud.make.organization(ada.id);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const patch = (body: unknown, token = ada.token) => cloud.call('PATCH /api/v1/user', { token, body });
const localeOf = async () => (await cloud.call('GET /api/v1/user', { token: ada.token })).body.locale;

describe('GET /user', () => {
  it('the account of a token has every field', async () => {
    expect(await cloud.call('GET /api/v1/user', { token: ada.token })).toMatchObject({
      status: 200,
      body: {
        id: ada.id,
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Example',
        phone_number: '+44 20 7946 0018',
        locale: 'en',
        organization: null,
      },
    });
  });

  it('the account names the organization of the token', async () => {
    const token = await cloud.make.token(ada.id, { organizationId });
    const { body } = await cloud.call('GET /api/v1/user', { token });
    expect(body.organization).toEqual({ id: organizationId, name: expect.any(String) });
  });

  it.each<['session' | 'oauth', Scope[]]>([
    ['session', []],
    ['oauth', ['openid', 'sites:read_single']],
  ])('an account is shown and changed with a token of the kind %s', async (kind, scopes) => {
    const token = await cloud.make.token(ada.id, { kind, scopes });
    expect((await cloud.call('GET /api/v1/user', { token })).body.id).toBe(ada.id);
    expect(await patch({ locale: 'de' }, token)).toMatchObject({ status: 200, body: { locale: 'de' } });
  });
});

describe('PATCH /user', () => {
  it.each(LOCALES)('the language %s is accepted', async (locale) => {
    expect(await patch({ locale })).toMatchObject({ status: 200, body: { id: ada.id, locale } });
    expect(await localeOf()).toBe(locale);
  });

  it.each([[{ locale: 'bg' }], [{ locale: '' }], [{ locale: 'EN' }], [{ locale: 'x'.repeat(10_000) }]])(
    'an unknown language is refused: %.40j',
    async (body) => {
      const before = await localeOf();
      expect(await patch(body)).toMatchObject({
        status: 422,
        body: { errors: { locale: [expect.stringMatching(/^must be one of af, cs, .*, zh_TW$/)] } },
      });
      expect(await localeOf()).toBe(before);
    },
  );

  it.each([
    [{}],
    [{ locale: null }],
    [{ locale: 7 }],
    [{ locale: ['en'] }],
    [{ locale: 'fr', email: 'eve@example.org' }],
    [{ locale: 'fr', id: 1 }],
    [{ first_name: 'Eve' }],
    [[]],
    ['fr'],
  ])('a body without a valid locale is refused: %j', async (body) => {
    const before = await localeOf();
    expect(await patch(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect(await localeOf()).toBe(before);
  });

  it('the error names an unknown field', async () => {
    expect((await patch({ locale: 'fr', email: 'eve@example.org' })).body).toEqual({
      error: 'email is not accepted here',
    });
  });

  it('a change of the language is recorded with the former one, and no change is not', async () => {
    await patch({ locale: 'nl' });
    await cloud.call('PATCH /api/v1/user', { token: ada.token, body: { locale: 'fr' }, from: '203.0.113.9' });
    await patch({ locale: 'fr' });
    const events = await cloud.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'user_id', 'address', 'details'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(events).toMatchObject([
      {
        action: 'account.changed',
        actor_id: ada.id,
        user_id: ada.id,
        address: '203.0.113.9',
        details: { locale: { from: 'nl', to: 'fr' } },
      },
      { details: { locale: { to: 'nl' } } },
    ]);
  });
});
