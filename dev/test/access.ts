import { once } from 'node:events';
import { createCloudClient } from '@heliograph/client';
import { Factory, openDatabase } from '@heliograph/cloud/testing';
import {
  API_TOKEN_SCOPES,
  type Scope,
  SESSION_SCOPES,
  type SiteAuthorization,
  type SitePermission,
} from '@heliograph/contracts';
import { systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { type AccessCase, expectedPermissions } from '../src/testing/access-rules.ts';
import type { TestSystem } from '../src/testing/test-system.ts';

type Account = Pick<AccessCase, 'role' | 'employment' | 'operator'>;
type Token = Pick<AccessCase, 'kind' | 'scopes' | 'tokenOrganization' | 'onlySite'>;

const STRANGER: Account = { role: null, employment: null, operator: false };
const ACCOUNTS: Readonly<Record<string, Account>> = {
  // The account of the run operates the service, too.
  owner: { ...STRANGER, role: 'owner', operator: true },
  admin: { ...STRANGER, role: 'admin' },
  member: { ...STRANGER, role: 'member' },
  installer: { ...STRANGER, employment: 'installer' },
  clerk: { ...STRANGER, employment: 'clerk' },
  partner: { ...STRANGER, employment: 'partner' },
  'admin who is a partner': { role: 'admin', employment: 'partner', operator: false },
  'member who is an installer': { role: 'member', employment: 'installer', operator: false },
  operator: { ...STRANGER, operator: true },
  stranger: STRANGER,
};

const READ: readonly Scope[] = ['sites:read_all'];
const PLAIN = { kind: 'api', tokenOrganization: null, onlySite: null } as const;
const TOKENS: Readonly<Record<string, Token>> = {
  'API token that reads': { ...PLAIN, scopes: READ },
  'API token of every scope': { ...PLAIN, scopes: API_TOKEN_SCOPES },
  'API token of its organization': { ...PLAIN, scopes: API_TOKEN_SCOPES, tokenOrganization: 'home' },
  'API token of a partner': { ...PLAIN, scopes: API_TOKEN_SCOPES, tokenOrganization: 'partner' },
  session: { ...PLAIN, kind: 'session', scopes: SESSION_SCOPES },
  'session at a partner': {
    ...PLAIN,
    kind: 'session',
    scopes: SESSION_SCOPES,
    tokenOrganization: 'partner',
  },
  'session at another organization': {
    ...PLAIN,
    kind: 'session',
    scopes: SESSION_SCOPES,
    tokenOrganization: 'abroad',
  },
  'token of an application': {
    ...PLAIN,
    kind: 'oauth',
    scopes: ['openid', 'sites:read_single'],
    onlySite: 'this',
  },
};

/** An address of the device's API: at the proxy, or on the network of the home. */
interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mcpPath: string;
}

const TOPIC = 'inverter_1/battery_reserve';

/** The site tokens of an admin that each revocation ends, by the credential they were issued for. */
const REVOCATIONS = `
revocation                session  api    oauth
the session signs out     ends     stays  stays
the API token is revoked  stays    ends   stays
the connection is ended   stays    stays  ends
the member is removed     ends     ends   ends
the member is demoted     ends     ends   ends
`;
const [[, ...SOURCES] = [], ...REVOCATION_ROWS] = REVOCATIONS.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s{2,}/));

/** The claims of a site token that the proxy and the device decide by; the others name its site, its holder and its times. */
function rightsOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  const { sub, site, src, key, jti, iat, exp, ...rights } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  );
  return rights;
}

/** Patience: devices receive revocations within ten seconds, and a busy machine takes longer. In milliseconds. */
const REVOKED_WITHIN_MS = 60_000;

/**
 * Permissions at the running cloud, proxy and device: every kind of account with every kind of token that it may hold,
 * on every path, compared with the rules written by hand.
 */
export function describeAccess(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let make: Factory;
  let organizations: Readonly<Record<'home' | 'partner' | 'abroad', number>>;
  let accountIds: Map<string, number>;
  let close: () => Promise<void>;
  let reserve = 20;

  beforeAll(async () => {
    system = systemOf();
    const database = openDatabase(system.run.cloud.database_url, () => undefined);
    const { db } = database;
    close = () => database.close();
    make = new Factory(db, systemClock);
    const { site, organization, account } = system.run;
    organizations = {
      home: organization.id,
      partner: await make.organization(),
      abroad: await make.organization(),
    };
    await make.share(organizations.partner, site.id);
    accountIds = new Map();
    for (const [name, { role, employment, operator }] of Object.entries(ACCOUNTS)) {
      if (role === 'owner') {
        const owner = await db.selectFrom('users').select('id').where('email', '=', account.email);
        accountIds.set(name, (await owner.executeTakeFirstOrThrow()).id);
        continue;
      }
      const { id } = await make.user({
        staff: operator,
        email: `${name.replaceAll(' ', '-')}@access.example`,
      });
      accountIds.set(name, id);
      if (role !== null) await make.member(site.id, id, role);
      if (employment === null) continue;
      const employer = employment === 'partner' ? organizations.partner : organizations.home;
      const employed = employment === 'clerk' ? 'member' : 'admin';
      await db
        .insertInto('organization_members')
        .values({ organization_id: employer, user_id: id, role: employed })
        .execute();
    }
  });
  afterAll(() => close?.());

  function tokenOf(name: string, { kind, scopes, tokenOrganization, onlySite }: Token): Promise<string> {
    if (kind === 'console') throw new Error('The console has no token');
    return make.token(accountIds.get(name) ?? 0, {
      kind,
      scopes,
      organizationId: tokenOrganization === null ? null : organizations[tokenOrganization],
      siteId: onlySite === null ? null : system.run.site.id,
      applicationOrganizationId: kind === 'oauth' ? organizations.partner : null,
    });
  }

  function endpointsOf({
    host,
    token,
    site_id,
    site_key,
  }: SiteAuthorization): Readonly<Record<string, Endpoint>> {
    const headers = { authorization: `Bearer ${token}` };
    return {
      proxy: {
        url: `http://${host}`,
        headers: { ...headers, 'site-id': `${site_id}`, 'site-key': site_key },
        mcpPath: '/api/v1/mcp',
      },
      LAN: { url: system.run.device.url, headers, mcpPath: '/mcp' },
    };
  }

  const invalidValue = (): string => 'nonsense';

  /** Another value than the one before, so that each write is one. */
  function nextReserve(): string {
    reserve = reserve === 20 ? 21 : 20;
    return `${reserve}`;
  }

  /** A write that is under way when the proxy learns of a revocation gets 502: it is sent again. */
  async function send(endpoint: Endpoint, method: string, path: string, body?: unknown): Promise<number> {
    const response = await fetch(endpoint.url + path, {
      method,
      headers: {
        ...endpoint.headers,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.body?.cancel();
    return response.status === 502 ? send(endpoint, method, path, body) : response.status;
  }

  /** Joins the stream and writes through it. @returns whether the write was authorized */
  async function isStreamWriteAllowed(endpoint: Endpoint, value: string): Promise<boolean> {
    const url = `${endpoint.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`;
    const socket = new WebSocket(url, { headers: endpoint.headers });
    try {
      const opened = await once(socket, 'open').catch(() => undefined);
      if (opened === undefined) return false;
      const answered = new Promise<boolean>((resolve, reject) => {
        socket.on('close', () => reject(new Error('The stream was closed')));
        socket.on('message', (data) => {
          const [, , , event, payload] = JSON.parse(String(data));
          if (event === 'set_result')
            resolve(!String(payload.message).startsWith('This token may only read'));
        });
      });
      socket.send(JSON.stringify(['1', '1', 'metrics', 'phx_join', { topics: [{ topic: 'total/*' }] }]));
      socket.send(JSON.stringify(['1', '2', 'metrics', 'set', { topic: TOPIC, value }]));
      return await answered;
    } finally {
      socket.close();
    }
  }

  /** Rights of site tokens, with the permissions that they are to give, which were tried on every path. */
  const walked = new Set<string>();

  /**
   * The permissions of a caller at an endpoint, by path.
   *
   * @param value of the next write; one that is invalid is refused as such after the authorization
   */
  async function allowedOn(endpoint: Endpoint, value: () => string): Promise<Record<string, boolean>> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const passes = async (status: Promise<number>): Promise<boolean> => ![401, 403].includes(await status);
    const [metrics, mcp, configuration, links, probe, change, log, diagnostics] = await Promise.all([
      passes(send(endpoint, 'GET', '/api/v1/metrics?topic=total/*')),
      passes(send(endpoint, 'POST', endpoint.mcpPath, call)),
      passes(send(endpoint, 'GET', '/api/v1/configuration')),
      passes(send(endpoint, 'GET', '/api/v1/links')),
      // Neither body is valid: an authorized caller is refused for it, and nothing begins.
      passes(send(endpoint, 'POST', '/api/v1/probe', { nonsense: true })),
      passes(send(endpoint, 'PATCH', '/api/v1/configuration', { nonsense: true })),
      passes(send(endpoint, 'GET', '/api/v1/settings/log')),
      passes(send(endpoint, 'GET', '/api/v1/diagnostics')),
    ]);
    const write = await passes(send(endpoint, 'POST', '/api/v1/metrics', { topic: TOPIC, value: value() }));
    const set = await isStreamWriteAllowed(endpoint, value());
    return { metrics, mcp, configuration, links, probe, change, log, diagnostics, write, set };
  }

  describe.each(Object.entries(ACCOUNTS))('an agent of the %s', (who, account) => {
    it('an agent reads the site through the cloud when the account sees it, and can write nothing', async () => {
      const token: Token = {
        kind: 'mcp',
        scopes: ['openid', ...READ],
        tokenOrganization: null,
        onlySite: null,
      };
      const bearer = await tokenOf(who, token);
      const { cloud, site } = system.run;
      const request = async (method: string, params: object) => {
        const response = await fetch(`${cloud.url}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${bearer}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        return (await response.json()) as {
          result: { isError?: boolean; tools?: { annotations?: { readOnlyHint?: boolean } }[] };
        };
      };
      const { result } = await request('tools/call', {
        name: 'site_status',
        arguments: { site_id: site.id },
      });
      const expected = expectedPermissions({ ...account, ...token });
      expect(result.isError !== true).toBe(expected.includes('read'));
      const { tools = [] } = (await request('tools/list', {})).result;
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      await expect(
        createCloudClient({ url: cloud.url, token: bearer }).authorizeSite({ id: site.id }),
      ).rejects.toMatchObject({
        status: 401,
      });
    });
  });

  const cases = Object.entries(ACCOUNTS).flatMap(([who, account]) =>
    Object.entries(TOKENS).map(([what, token]) => ({ who, what, account, token })),
  );

  describe.each(cases)('$who with an $what', ({ who, account, token }) => {
    it('the permissions match the rules at the cloud, through the proxy and on the LAN', async () => {
      const expected: SitePermission[] = expectedPermissions({ ...account, ...token });
      const bearer = await tokenOf(who, token);
      const { cloud, site } = system.run;
      const client = createCloudClient({ url: cloud.url, token: bearer });
      if (expected.length === 0) {
        await expect(client.getSite({ id: site.id })).rejects.toMatchObject({ status: 404 });
        await expect(client.authorizeSite({ id: site.id })).rejects.toMatchObject({ status: 404 });
        return;
      }
      expect((await client.getSite({ id: site.id })).permissions).toEqual(expected);

      const credentials = await client.authorizeSite({ id: site.id });
      const may = (permission: SitePermission): boolean => expected.includes(permission);
      const access = JSON.stringify([
        rightsOf(credentials.token),
        may('read'),
        may('write'),
        may('configure'),
      ]);
      if (walked.has(access)) return;
      walked.add(access);
      for (const [name, endpoint] of Object.entries(endpointsOf(credentials))) {
        expect({ endpoint: name, ...(await allowedOn(endpoint, nextReserve)) }).toEqual({
          endpoint: name,
          metrics: may('read'),
          mcp: may('read'),
          write: may('write'),
          set: may('write'),
          log: may('write'),
          diagnostics: may('write'),
          configuration: may('configure'),
          links: may('configure'),
          probe: may('configure'),
          change: may('configure'),
        });
      }
    });
  });

  // Side by side, since each waits for a proxy's next call to the cloud.
  it.concurrent.each(REVOCATION_ROWS)(
    'site tokens end on every path, and no others do: %s',
    async (revocation = '', ...fates) => {
      const { cloud, site, account } = system.run;
      const { id: userId } = await make.user();
      await make.member(site.id, userId, 'admin');
      const application = await make.application(organizations.partner);
      const grantId = await make.grant(userId, {
        clientId: application,
        organizationId: organizations.partner,
        siteId: site.id,
      });
      const bearers: Readonly<Record<string, string>> = {
        session: await make.token(userId, { kind: 'session', scopes: SESSION_SCOPES }),
        api: await make.token(userId),
        oauth: await make.token(userId, {
          kind: 'oauth',
          scopes: ['openid', 'sites:read_single'],
          siteId: site.id,
          applicationOrganizationId: organizations.partner,
          grantId,
        }),
      };
      const issued = await Promise.all(
        SOURCES.map((source) =>
          createCloudClient({ url: cloud.url, token: bearers[source] ?? '' }).authorizeSite({ id: site.id }),
        ),
      );
      const endpoints = issued.map((credentials) => Object.values(endpointsOf(credentials)));
      const before = await Promise.all(endpoints.flat().map((endpoint) => allowedOn(endpoint, invalidValue)));

      const own = await make.token(userId, { kind: 'session', scopes: SESSION_SCOPES });
      const client = createCloudClient({ url: cloud.url, token: own });
      const acts: Readonly<Record<string, () => Promise<Response>>> = {
        'the session signs out': () => act('DELETE', '/session', bearers.session),
        'the API token is revoked': async () => {
          const [token] = await client.listTokens();
          return act('DELETE', `/user/tokens/${token?.id}`, own);
        },
        'the connection is ended': () => act('DELETE', `/user/connections/${grantId}`, own),
        'the member is removed': () => act('DELETE', `/sites/${site.id}/users/${userId}`, account.api_token),
        'the member is demoted': () =>
          act('PATCH', `/sites/${site.id}/users/${userId}`, account.api_token, { role: 'member' }),
      };
      expect((await acts[revocation]?.())?.ok).toBe(true);

      const metrics = '/api/v1/metrics?topic=total/*';
      for (const [at, fate] of fates.entries()) {
        if (fate !== 'ends') continue;
        for (const endpoint of endpoints[at] ?? []) {
          await vi.waitFor(async () => expect(await send(endpoint, 'GET', metrics)).toBe(401), {
            timeout: REVOKED_WITHIN_MS,
          });
        }
      }
      const after = await Promise.all(endpoints.flat().map((endpoint) => allowedOn(endpoint, invalidValue)));
      const nothing = Object.fromEntries(Object.keys(before[0] ?? {}).map((path) => [path, false]));
      expect(after).toEqual(
        before.map((paths, at) => (fates[Math.floor(at / 2)] === 'ends' ? nothing : paths)),
      );
    },
    3 * REVOKED_WITHIN_MS,
  );

  function act(method: string, path: string, token = '', body?: object): Promise<Response> {
    return fetch(`${system.run.cloud.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}
