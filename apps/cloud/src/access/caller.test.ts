import { API_TOKEN_SCOPES, type AuditAction, type Scope } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import type { TokenKind } from '../common/secrets/opaque-token.ts';
import { recordAudit } from '../db/audit.ts';
import {
  accountCaller,
  actorOf,
  atPortal,
  consoleCaller,
  requireFreshSignIn,
  requirePerson,
} from './caller.ts';
import { findSite } from './site-access.ts';

const FIFTEEN_MINUTES_MS = 15 * 60_000;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const newestEvent = (action: AuditAction) =>
  cloud.db
    .selectFrom('audit_events')
    .select(['actor_id', 'token_id', 'via', 'address'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

describe('the actor in audit records', () => {
  it('an act with a token is recorded with the account, the token and the address', async () => {
    const { id: ownerId, token } = await cloud.make.user();
    const { id } = await cloud.make.site({ ownerId });
    const from = '203.0.113.9';
    const renamed = await cloud.call(`PATCH /api/v1/sites/${id}/name`, {
      token,
      from,
      body: { name: 'barn' },
    });
    expect(renamed.status).toBe(200);
    const { id: token_id } = await cloud.db
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    expect(await newestEvent('site.renamed')).toEqual({
      actor_id: ownerId,
      token_id,
      via: 'api',
      address: from,
    });
  });

  it('a registration is recorded with the new account and its address, without a token', async () => {
    const from = '203.0.113.10';
    const { status } = await cloud.call('POST /api/v1/register', {
      from,
      body: {
        email: 'grace@example.org',
        password: PASSWORD,
        organization_id: await cloud.make.organization(),
        verification_token: await cloud.make.oneTimeToken('bot_check'),
      },
    });
    expect(status).toBe(201);
    const { id: actor_id } = await cloud.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'grace@example.org')
      .executeTakeFirstOrThrow();
    expect(await newestEvent('account.registered')).toEqual({
      actor_id,
      token_id: null,
      via: 'api',
      address: from,
    });
  });

  it("an act of the operator's console is recorded without an account, even in the name of one", async () => {
    const { id } = await cloud.make.user();
    const at = new Date(cloud.clock.now());
    await recordAudit(cloud.db, actorOf(consoleCaller(id)), at, { action: 'token.created', userId: id });
    expect(await newestEvent('token.created')).toEqual({
      actor_id: null,
      token_id: null,
      via: 'admin',
      address: null,
    });
  });
});

describe('the resource that a token is for', () => {
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  it.each([
    ['api', 200, 200],
    ['session', 200, 200],
    ['oauth', 200, 401],
    ['mcp', 401, 200],
  ] as const)(
    'a token of kind %s gets its account, %d from the rest of the HTTP API and %d from the MCP server',
    async (kind, api, mcp) => {
      const { id } = await cloud.make.user();
      const token = await cloud.make.token(id, { kind });
      expect((await cloud.call('GET /api/v1/user', { token })).body).toMatchObject({ id });
      expect((await cloud.call('GET /api/v1/organizations', { token })).status).toBe(api);
      const headers = { accept: 'application/json, text/event-stream' };
      expect((await cloud.call('POST /mcp', { token, headers, body: listTools })).status).toBe(mcp);
    },
  );
});

describe('a token that may not do something', () => {
  it.each<[string, TokenKind, readonly Scope[], string, string | undefined]>([
    ['reads sites with the scope for it', 'api', ['sites:read_all'], 'GET /api/v1/alerts', undefined],
    ['reads them with another one for it', 'oauth', ['sites:read_single'], 'GET /api/v1/alerts', undefined],
    [
      'does not read them with others',
      'api',
      ['sites:write_all', 'users:read_all'],
      'GET /api/v1/alerts',
      'The token lacks the scope sites:read_all or sites:read_single',
    ],
    ['of a session lists the sessions', 'session', [], 'GET /api/v1/user/sessions', undefined],
    ['of an API lists the orders of its account', 'api', [], 'GET /api/v1/user/orders', undefined],
    [
      'of a third party does not list them',
      'oauth',
      ['openid', 'sites:read_all'],
      'GET /api/v1/user/orders',
      'The token of a third party cannot do this',
    ],
    [
      'of an API does not list the sessions',
      'api',
      [...API_TOKEN_SCOPES],
      'GET /api/v1/user/sessions',
      'Sign in to do this: it cannot be done with a token of this kind',
    ],
  ])('a token that %s', async (_what, kind, scopes, route, refusal) => {
    const { id } = await cloud.make.user();
    const token = await cloud.make.token(id, { kind, scopes });
    const { status, body } = await cloud.call(route, { token });
    expect([status, body.error]).toEqual(refusal === undefined ? [200, undefined] : [403, refusal]);
  });
});

describe('a fresh sign-in', () => {
  const createToken = (token: string) =>
    cloud.call('POST /api/v1/user/tokens', { token, body: { name: 'Grafana', scopes: ['sites:read_all'] } });

  it.each([
    [FIFTEEN_MINUTES_MS, 201],
    [FIFTEEN_MINUTES_MS + 1, 403],
  ])('a session whose sign-in was %d milliseconds ago gets %d for a new API token', async (agoMs, status) => {
    const { id } = await cloud.make.user();
    const authenticatedAt = new Date(cloud.clock.now() - agoMs);
    const token = await cloud.make.token(id, { kind: 'session', authenticatedAt });
    expect((await createToken(token)).status).toBe(status);
  });

  it('a session of which no sign-in is known makes no API token', async () => {
    const { id } = await cloud.make.user();
    const token = await cloud.make.token(id, { kind: 'session' });
    await cloud.db.updateTable('tokens').set({ authenticated_at: null }).where('user_id', '=', id).execute();
    expect((await createToken(token)).status).toBe(403);
  });

  it('an API token needs no fresh sign-in', () => {
    const caller = { ...consoleCaller(), kind: 'api' } as const;
    expect(() => requireFreshSignIn(caller, cloud.clock.now())).not.toThrow();
  });
});

it.each<[string, TokenKind | 'console', number | null, string | undefined]>([
  ["the operator's console", 'console', null, undefined],
  ['a session with a fresh sign-in', 'session', FIFTEEN_MINUTES_MS, undefined],
  ['a session with an earlier one', 'session', FIFTEEN_MINUTES_MS + 1, 'sign_in_again'],
  ['a session of which none is known', 'session', null, 'sign_in_again'],
  ['an API token', 'api', 0, 'forbidden'],
  ['a token of an application', 'oauth', 0, 'forbidden'],
  ['a token of an agent', 'mcp', 0, 'forbidden'],
])('%s acts as a person, or is refused', (_who, kind, agoMs, code) => {
  const nowMs = cloud.clock.now();
  const authenticatedAt = agoMs === null ? null : new Date(nowMs - agoMs);
  const act = () => requirePerson({ ...consoleCaller(), kind, authenticatedAt }, nowMs);
  if (code === undefined) expect(act).not.toThrow();
  else expect(act).toThrow(expect.objectContaining({ code }));
});

it('a session has every scope of an API token at the portal, and no other token has more than its own', () => {
  for (const kind of ['session', 'api', 'oauth', 'mcp', 'console'] as const) {
    const caller = { ...consoleCaller(3), kind, scopes: new Set<Scope>(['sites:read_all']) };
    const scopes = kind === 'session' ? new Set(API_TOKEN_SCOPES) : caller.scopes;
    expect(atPortal(caller)).toEqual({ ...caller, scopes });
  }
});

it('an account without a token reads the sites that exist for it, and changes none', async () => {
  const [owner = 0, stranger = 0, operator = 0] = await cloud.make.users(3);
  const { id } = await cloud.make.site({ ownerId: owner });
  const permissions = async (userId: number, staff = false) => [
    ...((await findSite(cloud.db, accountCaller(userId, staff), id))?.permissions ?? []),
  ];
  const reads = ['read', 'audit', 'connections'];
  expect(await permissions(owner)).toEqual(reads);
  expect(await permissions(stranger)).toEqual([]);
  expect(await permissions(operator, true)).toEqual(reads);
});
