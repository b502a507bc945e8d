import { API_TOKEN_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchDocument } from '../../../test/api-document.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { API_TOKENS_MADE } from './create-token.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let ada: TestUser;
let session: string;
let home: number;
let elsewhere: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
  session = await cloud.make.token(ada.id, { kind: 'session' });
  home = await cloud.make.organization(ada.id);
  elsewhere = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const READ = { name: 'Grafana', scopes: ['sites:read_all'] };
const create = (body: unknown, token = session) => cloud.call('POST /api/v1/user/tokens', { token, body });
const list = async (token = session) =>
  (await cloud.call<{ id: number; name: string }[]>('GET /api/v1/user/tokens', { token })).body;
const revoke = (id: unknown, token = session) => cloud.call(`DELETE /api/v1/user/tokens/${id}`, { token });
const statusOf = async (token: unknown) =>
  (await cloud.call('GET /api/v1/user', { token: String(token) })).status;

describe('POST /user/tokens', () => {
  it('new API tokens are limited per hour, revoked ones included', async () => {
    const token = await cloud.make.token((await cloud.make.user()).id, { kind: 'session' });
    const createAndRevoke = async () => {
      const { status, body } = await create(READ, token);
      expect(status).toBe(201);
      await revoke(body.id, token);
    };
    await createAndRevoke();
    await cloud.multiplyCounts(API_TOKENS_MADE.points - 1);
    await createAndRevoke();
    expect((await create(READ, token)).status).toBe(429);
  });

  it('a new API token is shown once and has its scopes', async () => {
    const expiresAt = new Date(cloud.clock.now() + DAY_MS).toISOString();
    const { status, body } = await create({ ...READ, expires_at: expiresAt });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Grafana',
      token: expect.stringMatching(/^hga_[\w-]{43}$/),
      scopes: ['sites:read_all'],
      organization: null,
      created_at: new Date(cloud.clock.now()).toISOString(),
      expires_at: expiresAt,
      last_used_at: null,
      last_used_address: null,
    });
    const token = String(body.token);
    const { token: _shownOnce, ...listed } = body;
    expect(await list()).toContainEqual(listed);
    expect((await cloud.call('GET /api/v1/sites', { token })).status).toBe(200);
    expect((await cloud.call('GET /api/v1/users', { token })).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
    const stored = await cloud.db
      .selectFrom('tokens')
      .selectAll()
      .where('hash', '=', tokenHash(token))
      .execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token.slice(4));
    cloud.clock.advance(DAY_MS);
    expect(await statusOf(token)).toBe(401);
    // The sign-in of a day ago is not fresh enough to make another.
    session = await cloud.make.token(ada.id, { kind: 'session' });
  });

  it('an API token can have every scope of API tokens, each once', async () => {
    const { body } = await create({ name: ' all ', scopes: [...API_TOKEN_SCOPES, ...API_TOKEN_SCOPES] });
    expect(body).toMatchObject({ name: 'all', scopes: API_TOKEN_SCOPES, expires_at: null });
  });

  it.each<[object, Record<string, string[]>]>([
    [{ scopes: [] }, { scopes: ["can't be blank"] }],
    [
      { scopes: ['sites:read_all', 'sites:own_all'] },
      { scopes: [expect.stringMatching(/^may be .*sites:read_all/)] },
    ],
    [{ scopes: ['openid'] }, { scopes: [expect.stringMatching(/^may be .*sites:read_all/)] }],
    [{ scopes: ['sites:read_single'] }, { scopes: [expect.stringMatching(/^may be .*sites:read_all/)] }],
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ name: 'x'.repeat(101) }, { name: ["can't be longer than 100 characters"] }],
    [{ expires_at: '2020-01-01T00:00:00Z' }, { expires_at: ['must be in the future'] }],
    [
      { name: '', expires_at: '2020-01-01T00:00:00Z' },
      { name: ["can't be blank"], expires_at: ['must be in the future'] },
    ],
    [{ organization_id: 2 ** 31 }, { organization_id: ['does not exist'] }],
    [{ organization_id: -(2 ** 31) - 1 }, { organization_id: ['does not exist'] }],
    [{ organization_id: 0 }, { organization_id: ['does not exist'] }],
    [
      { name: '', scopes: [] },
      { name: ["can't be blank"], scopes: ["can't be blank"] },
    ],
  ])('the fields of %j are refused one by one', async (change, errors) => {
    expect(await create({ ...READ, ...change })).toMatchObject({ status: 422, body: { errors } });
  });

  it('a name of 100 characters is accepted', async () => {
    expect((await create({ ...READ, name: 'x'.repeat(100) })).status).toBe(201);
  });

  it('an API token that would expire at once is refused', async () => {
    const answer = await create({ ...READ, expires_at: new Date(cloud.clock.now()).toISOString() });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { expires_at: ['must be in the future'] } },
    });
  });

  it('a new API token is mailed to its user with its name', async () => {
    const { id, email } = await cloud.make.user();
    await create({ ...READ, name: 'Barn display' }, await cloud.make.token(id, { kind: 'session' }));
    const { text } = await cloud.mail(email);
    expect(text).toContain('Barn display');
    expect(text).toContain('read all sites that you see');
  });

  it('the limit of new API tokens is for an hour', () => {
    expect(API_TOKENS_MADE.durationS).toBe(3600);
  });

  it.each<[object, string, string]>([
    [{ name: 'x' }, 'scopes', "can't be blank"],
    [{ scopes: ['sites:read_all'] }, 'name', "can't be blank"],
    [{ ...READ, scopes: 'sites:read_all' }, 'scopes', 'must be a list, not a text'],
    [{ ...READ, scopes: [1] }, 'scopes', 'must be a text, not a number'],
    [{ ...READ, name: 1 }, 'name', 'must be a text, not a number'],
    [
      { ...READ, expires_at: 'tomorrow' },
      'expires_at',
      'must be a date and time such as 2026-05-01T12:00:00Z',
    ],
    [{ ...READ, organization_id: 'home' }, 'organization_id', 'must be a whole number or "none", not a text'],
  ])('the body %j is refused for its field %s', async (body, field, message) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors: { [field]: [message] } } });
  });

  it('a body that is no object answers 400', async () => {
    expect(await create([])).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  it.each(['api', 'oauth'] as const)('a token of the kind %s creates no API token', async (kind) => {
    const token = await cloud.make.token(ada.id, { kind });
    const id = (await list())[0]?.id;
    for (const route of [
      'GET /api/v1/user/tokens',
      `DELETE /api/v1/user/tokens/${id}`,
      'GET /api/v1/user/sessions',
    ]) {
      expect((await cloud.call(route, { token })).status).toBe(403);
    }
    expect((await create(READ, token)).status).toBe(403);
    expect((await create('nonsense', token)).status).toBe(403);
  });
});

describe('the organization of an API token', () => {
  it('the organization of an API token is one that the account has access to', async () => {
    expect(await create({ ...READ, organization_id: home })).toMatchObject({
      status: 201,
      body: { organization: { id: home, name: expect.any(String) } },
    });
    expect(await create({ ...READ, organization_id: 'none' })).toMatchObject({
      body: { organization: null },
    });
    expect((await create({ ...READ, organization_id: elsewhere })).body).toEqual({
      errors: { organization_id: ['does not exist'] },
    });
  });

  it.each<[string, () => Promise<TestUser>]>([
    ['an operator', () => cloud.make.user({ staff: true })],
    ['an employee', () => cloud.make.employee(elsewhere)],
    ['a customer', () => cloud.make.user({ customerOf: elsewhere })],
    [
      'an owner of a site of it',
      async () => {
        const owner = await cloud.make.user();
        await cloud.make.site({ ownerId: owner.id, organizationId: elsewhere });
        return owner;
      },
    ],
    [
      'a member of a site of it',
      async () => {
        const member = await cloud.make.user();
        const site = await cloud.make.site({ organizationId: elsewhere });
        await cloud.make.member(site.id, member.id, 'member');
        return member;
      },
    ],
  ])('the organization of an API token can be chosen by %s', async (_who, make) => {
    const { id } = await make();
    const token = await cloud.make.token(id, { kind: 'session' });
    expect((await create({ ...READ, organization_id: elsewhere }, token)).status).toBe(201);
  });

  it('an API token from a session of an organization belongs to that organization', async () => {
    const scoped = await cloud.make.token(ada.id, { kind: 'session', organizationId: home });
    expect((await create(READ, scoped)).body.organization).toMatchObject({ id: home });
    expect((await create({ ...READ, organization_id: home }, scoped)).status).toBe(201);
    for (const organization_id of [elsewhere, 'none']) {
      expect((await create({ ...READ, organization_id }, scoped)).status).toBe(422);
    }
    const outside = (await create({ ...READ, name: 'outside' })).body;
    expect((await list(scoped)).map(({ name }) => name)).not.toContain('outside');
    expect((await revoke(outside.id, scoped)).status).toBe(404);
    expect((await revoke(outside.id)).status).toBe(204);
  });
});

it('a session of an organization makes no API token of another, nor of none', async () => {
  const { id } = await cloud.make.employee(home);
  await cloud.db
    .insertInto('organization_members')
    .values({ organization_id: elsewhere, user_id: id, role: 'member' })
    .execute();
  const scoped = await cloud.make.token(id, { kind: 'session', organizationId: home });
  const errorsFor = async (organization_id: unknown) =>
    (await create({ ...READ, organization_id }, scoped)).body.errors;
  expect(await errorsFor(elsewhere)).toEqual({ organization_id: ['does not exist'] });
  expect(await errorsFor('none')).toEqual({ organization_id: ["can't be blank"] });
});

it('the OpenAPI document has the operations on tokens and sessions with their answers', async () => {
  const { paths } = await fetchDocument(cloud.url);
  const found = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => /^(?:list|create|revoke|end)(?:Token|Session)s?$/.test(operationId))
    .map(({ operationId, tags, responses }) => {
      const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
      return [operationId, tags, status, answer?.content !== undefined];
    });
  expect(found.toSorted()).toEqual([
    ['createToken', ['tokens'], '201', true],
    ['endSession', ['tokens'], '204', false],
    ['listSessions', ['tokens'], '200', true],
    ['listTokens', ['tokens'], '200', true],
    ['revokeToken', ['tokens'], '204', false],
  ]);
});
