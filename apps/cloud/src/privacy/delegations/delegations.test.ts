import { type Delegation, SESSION_SCOPES } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { type HttpsReceiver, startHttpsReceiver } from '../../../test/https-receiver.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { appendEvents } from '../../db/events.ts';

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 30_000, interval: 20 };

let receiver: HttpsReceiver;
let cloud: TestCloud;
/** Owns the organization, and the site. */
let owner: TestUser;
/** An admin of both, who makes things. */
let author: TestUser;
let organization: number;
let site: number;
let tokens: Record<'api token' | 'session', string>;
/** Another session of the author. */
let home: string;

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  cloud = await startTestCloud({ deviceActivation: 'manual' }, undefined, {
    internet: receiver.internet,
    lookIntervalMs: 50,
  });
  await cloud.announce('us-1');
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  receiver.reset();
  await cloud.db.deleteFrom('webhooks').execute();
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
  author = await cloud.make.employee(organization, 'admin');
  site = (await cloud.make.site({ ownerId: owner.id, organizationId: organization })).id;
  await cloud.make.member(site, author.id, 'admin');
  tokens = { 'api token': author.token, session: await session(author.id) };
  home = await session(author.id);
});

const session = (userId: number, ageMs = 0) =>
  cloud.make.token(userId, {
    ...{ kind: 'session', scopes: SESSION_SCOPES },
    ...(ageMs > 0 && { authenticatedAt: new Date(cloud.clock.now() - ageMs) }),
  });

const call = async <Body = Record<string, unknown>>(route: string, token: string, body?: unknown) => {
  const answer = await cloud.call<Body>(route, { token, body });
  if (answer.status >= 400) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const listOf = (token: string) => call<Delegation[]>('GET /api/v1/user/delegations', token);

const idOf = async (kind: 'tokens' | 'sessions', token: string): Promise<number> => {
  const at = new Date(cloud.clock.now());
  await cloud.db.updateTable('tokens').set({ last_used_at: null }).where('user_id', '=', author.id).execute();
  if (kind === 'tokens') return (await call<{ id: number }[]>('GET /api/v1/user/tokens', home))[0]?.id ?? 0;
  const list = await call<{ id: number; current: boolean }[]>('GET /api/v1/user/sessions', token);
  return list.find(({ current }) => current)?.id ?? at.getTime();
};

const raise = (n: number) =>
  appendEvents(cloud.db, [
    {
      ...{ type: 'alert.raised' as const, at: new Date(cloud.clock.now()), siteId: site },
      ...{ organizationId: organization, data: { n } },
    },
  ]);

const arrived = (path: string) => receiver.received.filter((one) => one.path === path).length;

/** Whether an event reaches a webhook: one that the owner made then has it, too. */
async function isPosted(path: string): Promise<boolean> {
  const witness = `/witness-${arrived(path)}-${receiver.received.length}`;
  const url = `https://localhost${witness}`;
  await call('POST /api/v1/webhooks', owner.token, { name: 'Witness', url, types: ['alert'] });
  const before = arrived(path);
  await raise(1);
  await vi.waitFor(() => expect(arrived(witness)).toBe(1), PATIENCE);
  const { rows } = { rows: await cloud.db.selectFrom('webhooks').select(['enabled', 'url']).execute() };
  if (rows.some(({ enabled, url: address }) => enabled && address.endsWith(path)))
    await vi.waitFor(() => expect(arrived(path)).toBe(before + 1), PATIENCE);
  return arrived(path) > before;
}

type Credential = 'api token' | 'session';

/** Makes a thing, and answers how to see whether it acts. */
const KINDS = {
  "the organization's webhook": async (by: Credential) => {
    const body = { name: 'Grafana', url: 'https://localhost/made', types: ['alert'] };
    await call('POST /api/v1/webhooks', tokens[by], { ...body, organization_id: organization });
    return () => isPosted('/made');
  },
  "the author's webhook": async (by: Credential) => {
    const body = { name: 'Grafana', url: 'https://localhost/made', types: ['alert'] };
    await call('POST /api/v1/webhooks', tokens[by], body);
    return () => isPosted('/made');
  },
  application: async (by: Credential) => {
    const made = await call<{ client_id: string; client_secret: string }>(
      `POST /api/v1/organizations/${organization}/applications`,
      tokens[by],
      { name: 'Importer' },
    );
    const { client_id: clientId, client_secret: secret } = made;
    const customer = await cloud.make.user();
    const grant = { clientId, organizationId: organization };
    const grantId = await cloud.make.grant(customer.id, grant);
    const access = await cloud.make.token(customer.id, { kind: 'oauth', grantId, scopes: ['openid'] });
    return async () => {
      const exchange = await cloud.call('POST /oauth/token', {
        raw: new URLSearchParams({
          ...{ grant_type: 'authorization_code', code: 'none', code_verifier: 'x'.repeat(43) },
          ...{ client_id: clientId, client_secret: secret, redirect_uri: 'https://app.example.org/' },
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const isKnown = exchange.body.error !== 'invalid_client';
      expect((await cloud.call('GET /api/v1/user', { token: access })).status).toBe(isKnown ? 200 : 401);
      return isKnown;
    };
  },
  'activation code': async (by: Credential) => {
    const { code } = await call<{ code: string }>(
      `POST /api/v1/organizations/${organization}/activation_codes`,
      tokens[by],
      { uses: 1_000 },
    );
    return async () => {
      const uid = await cloud.make.device({ activated: false });
      const { token } = await cloud.make.user();
      const { status } = await cloud.call('POST /api/v1/sites/request_activation', {
        token,
        body: { uid, code },
      });
      return status === 200;
    };
  },
  share: async () => {
    const partner = await cloud.make.organization();
    const { token } = await cloud.make.employee(partner);
    const consent = await cloud.make.token(author.id, {
      ...{ kind: 'oauth', scopes: ['openid', 'sites:read_single'] },
      ...{ siteId: site, applicationOrganizationId: partner },
    });
    await call('POST /api/v1/organization_sites', consent, { site_id: site });
    return async () => (await cloud.call(`GET /api/v1/sites/${site}`, { token })).status === 200;
  },
  ntfy: async () => {
    const ntfy = { url: 'https://localhost/topic' };
    await call('PATCH /api/v1/user/notification_settings', tokens.session, { ntfy });
    return async () => {
      const before = receiver.received.length;
      const { id } = await cloud.db
        .insertInto('notifications')
        .values({
          ...{ user_id: author.id, channel: 'ntfy', kind: 'test', push_subscription_id: null },
          ...{ alert_id: null, outage_id: null, state: 'waiting', sent_at: null, failure: null },
          ...{ due_at: new Date(cloud.clock.now()), created_at: new Date(cloud.clock.now()) },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await vi.waitFor(async () => {
        const { state } = await cloud.db
          .selectFrom('notifications')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(['sent', 'skipped']).toContain(state);
      }, PATIENCE);
      return receiver.received.length > before;
    };
  },
} satisfies Record<string, (by: Credential) => Promise<() => Promise<boolean>>>;

const ENDS = {
  'the API token is revoked': async () =>
    call(`DELETE /api/v1/user/tokens/${await idOf('tokens', home)}`, home),
  'the API token expires': async () => {
    const id = await idOf('tokens', home);
    const expires_at = new Date(cloud.clock.now() + 1);
    await cloud.db.updateTable('tokens').set({ expires_at }).where('id', '=', id).execute();
    cloud.clock.advance(MINUTE_MS);
    await vi.waitFor(async () => {
      const [first] = await listOf(home);
      expect(first?.suspended_for).toBe('token');
    }, PATIENCE);
  },
  'the author becomes a member': async () => {
    await call(`PATCH /api/v1/organizations/${organization}/users/${author.id}`, owner.token, {
      role: 'member',
    });
    await call(`PATCH /api/v1/sites/${site}/users/${author.id}`, owner.token, { role: 'member' });
  },
  'the author leaves': async () => {
    await call(`DELETE /api/v1/organizations/${organization}/users/${author.id}`, owner.token);
    await call(`DELETE /api/v1/sites/${site}/users/${author.id}`, owner.token);
  },
  'the author closes the account': () => call('POST /api/v1/user/deletion', home),
  'the session signs out': () => call('DELETE /api/v1/session', tokens.session),
  'a foreign session ends with what it made': async () =>
    call(`DELETE /api/v1/user/sessions/${await idOf('sessions', tokens.session)}?made=end`, home),
};

/** By hand, from the rule that people make things and not their browsers. */
const CASES: readonly [keyof typeof KINDS, Credential, keyof typeof ENDS, 'acts' | 'stopped'][] = [
  ["the organization's webhook", 'api token', 'the API token is revoked', 'stopped'],
  ["the organization's webhook", 'api token', 'the author becomes a member', 'stopped'],
  ["the organization's webhook", 'session', 'the author becomes a member', 'stopped'],
  ["the organization's webhook", 'session', 'the author leaves', 'stopped'],
  ["the organization's webhook", 'session', 'the session signs out', 'acts'],
  ["the organization's webhook", 'session', 'the API token is revoked', 'acts'],
  ["the author's webhook", 'api token', 'the API token is revoked', 'stopped'],
  ["the author's webhook", 'api token', 'the API token expires', 'stopped'],
  ["the author's webhook", 'api token', 'the session signs out', 'acts'],
  ["the author's webhook", 'session', 'the author closes the account', 'stopped'],
  ["the author's webhook", 'session', 'the session signs out', 'acts'],
  ["the author's webhook", 'session', 'a foreign session ends with what it made', 'stopped'],
  ['application', 'api token', 'the API token is revoked', 'stopped'],
  ['application', 'session', 'the author becomes a member', 'stopped'],
  ['application', 'session', 'the author closes the account', 'stopped'],
  ['application', 'session', 'the session signs out', 'acts'],
  ['application', 'session', 'a foreign session ends with what it made', 'stopped'],
  ['activation code', 'api token', 'the API token is revoked', 'stopped'],
  ['activation code', 'session', 'the author leaves', 'stopped'],
  ['activation code', 'session', 'the session signs out', 'acts'],
  ['share', 'session', 'the author becomes a member', 'stopped'],
  ['share', 'session', 'the author leaves', 'stopped'],
  ['share', 'session', 'the author closes the account', 'stopped'],
  ['share', 'session', 'the session signs out', 'acts'],
  ['ntfy', 'session', 'the author closes the account', 'stopped'],
  ['ntfy', 'session', 'the session signs out', 'acts'],
];

describe('what an account made', () => {
  it.each(CASES)('%s made with the %s, then %s: %s', async (kind, by, end, expected) => {
    const acts = await KINDS[kind](by);
    expect(await acts()).toBe(true);
    await ENDS[end]();
    expect(await acts()).toBe(expected === 'acts');
  });
});

it('the owner is mailed what is suspended, and one who keeps it is its author from then on', async () => {
  const acts = await KINDS['activation code']('session');
  const shared = await KINDS.share();
  await ENDS['the author leaves']();
  const { subject, text } = await cloud.mail(owner.email);
  expect([subject, text]).toEqual([expect.stringContaining('shared with'), expect.anything()]);
  const mail = await cloud.mail(owner.email);
  expect(mail.text).toMatch(/#\d+/);
  expect(mail.text).toContain(`${cloud.url}/user/security`);

  const inPerson = await session(owner.id);
  const waiting = (await listOf(inPerson)).filter(({ state }) => state === 'suspended');
  expect(waiting.map(({ kind, suspended_for, author: by }) => [kind, suspended_for, by?.id])).toEqual([
    ['share', 'role', author.id],
    ['activation_code', 'role', author.id],
  ]);
  // The page was opened: nothing of it acts yet.
  expect([await acts(), await shared()]).toEqual([false, false]);
  for (const { id } of waiting) {
    const kept = await call<Delegation>(`POST /api/v1/user/delegations/${id}/keep`, inPerson);
    expect([kept.state, kept.author?.id]).toEqual(['active', owner.id]);
  }
  expect([await acts(), await shared()]).toEqual([true, true]);
  await call('DELETE /api/v1/user/delegations', inPerson);
  expect([await acts(), await shared(), await listOf(inPerson)]).toEqual([false, false, []]);
});

it('neither the former author, nor a token, nor a stranger keeps or ends what is suspended', async () => {
  await KINDS['activation code']('session');
  await ENDS['the author becomes a member']();
  const [waiting] = await listOf(await session(owner.id));
  const id = waiting?.id;
  const stranger = await session((await cloud.make.user()).id);
  const operator = await session((await cloud.make.user({ staff: true })).id);
  // An operator may end it, and does not find it among what acts for the operator's account.
  expect(await listOf(operator)).toEqual([]);
  const stale = await cloud.make.token(owner.id, { kind: 'session', authenticatedAt: new Date(0) });
  for (const [token, status] of [
    [home, 404],
    [stranger, 404],
    [owner.token, 403],
    [stale, 403],
  ] as const)
    expect((await cloud.call(`POST /api/v1/user/delegations/${id}/keep`, { token })).status).toBe(status);
  for (const token of [home, stranger])
    expect((await cloud.call(`DELETE /api/v1/user/delegations/${id}`, { token })).status).toBe(404);
});

it('the household ends a share that an application made, of which the owner was mailed', async () => {
  const shared = await KINDS.share();
  const mail = await cloud.mail(owner.email);
  expect(mail.subject).toContain('is shared with');
  const inPerson = await session(owner.id);
  const [row] = await call<Delegation[]>(`GET /api/v1/sites/${site}/delegations`, inPerson);
  expect([row?.kind, row?.author?.id, row?.credential?.kind]).toEqual(['share', author.id, 'oauth']);
  await call(`DELETE /api/v1/sites/${site}/delegations/${row?.id}`, inPerson);
  expect(await shared()).toBe(false);
});

it('the lists have what a device reports that others may write, which is decided at the device', async () => {
  const id = await idOf('tokens', home);
  await cloud.db
    .insertInto('device_delegations')
    .values({
      ...{ site_id: site, id: 'mN4bV3xK7pQ2sT9wY1zA0c', kind: 'mqtt', subject: 'mqtt://192.168.1.5:1883' },
      ...{ user_id: author.id, source: `token:${id}`, token_kind: 'api' },
      set_at: new Date(cloud.clock.now()),
    })
    .execute();
  const seen = {
    ...{ id: null, kind: 'device_mqtt', name: 'mqtt://192.168.1.5:1883', state: 'active' },
    ...{ site: { id: site }, author: { id: author.id }, credential: { id, kind: 'api' } },
  };
  const lists = [await listOf(home), await call(`GET /api/v1/sites/${site}/delegations`, owner.token)];
  expect(lists).toMatchObject([[seen], [seen]]);
  expect(await listOf(await session(owner.id))).toEqual([]);
  // A device can report the number of any account, which is no way to learn its name.
  const { id: strangerId } = await cloud.make.user();
  await cloud.db.updateTable('device_delegations').set({ user_id: strangerId }).execute();
  expect(await call(`GET /api/v1/sites/${site}/delegations`, owner.token)).toMatchObject([
    { author: null, credential: null },
  ]);
  expect(await call('DELETE /api/v1/user/delegations', home)).toEqual({ ended: 0 });
});

it('an account learns of its new webhook, and that another one took over the messages of its browser', async () => {
  await KINDS["the author's webhook"]('api token');
  expect((await cloud.mail(author.email)).subject).toContain('Grafana');
  const [row] = await listOf(home);
  expect(row).toMatchObject({ kind: 'webhook', name: 'Grafana', credential: { kind: 'api' } });

  const body = {
    endpoint: 'https://push.example.org/one',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  };
  await call('POST /api/v1/user/push_subscriptions', home, body);
  const next = await session(owner.id);
  await call('POST /api/v1/user/push_subscriptions', next, body);
  expect((await cloud.mail(author.email)).subject).toContain('no longer gets your messages');
  const kinds = async (token: string) => (await listOf(token)).map(({ kind }) => kind);
  expect([await kinds(home), await kinds(next)]).toEqual([['webhook'], ['push']]);
});

it.each([
  ['a webhook', 'POST /api/v1/webhooks', { name: 'Mine', url: 'https://localhost/' }],
  ['an application', 'POST /api/v1/organizations/{id}/applications', { name: 'Mine' }],
  ['an activation code', 'POST /api/v1/organizations/{id}/activation_codes', { uses: 1_000 }],
])('%s is made by a session with a fresh sign-in, or by an API token', async (_what, route, body) => {
  const path = route.replace('{id}', String(organization));
  const stale = await session(author.id, 16 * MINUTE_MS);
  const statuses = [];
  for (const token of [stale, tokens.session, tokens['api token']])
    statuses.push((await cloud.call(path, { token, body })).status);
  expect(statuses).toEqual([403, 201, 201]);
});

const WEBHOOK = { name: 'Mine', url: 'https://localhost/mine', types: ['alert'] };
const APPLICATION = { name: 'Mine', redirect_uris: ['https://app.example.org/'] };

it.each([
  ['the address of a webhook', 'webhooks', 'PATCH', '', WEBHOOK, { url: 'https://localhost/other' }],
  ['the secret of a webhook', 'webhooks', 'POST', '/secret', WEBHOOK, undefined],
  [
    'redirect URIs',
    'applications',
    'PATCH',
    '',
    APPLICATION,
    { redirect_uris: ['https://other.example.org/'] },
  ],
  ['the secret of an application', 'applications', 'POST', '/secret', APPLICATION, undefined],
])('%s made in a session and changed with an API token ends with the token', async (...row) => {
  const [, things, method, path, before, change] = row;
  const all =
    things === 'webhooks' ? '/api/v1/webhooks' : `/api/v1/organizations/${organization}/applications`;
  const made = await call<{ id?: number; client_id: string }>(`POST ${all}`, tokens.session, before);
  const one = `${all}/${made.id ?? made.client_id}`;
  const stale = await session(author.id, 16 * MINUTE_MS);
  // A page that sends all fields changes the name alone.
  await call(`PATCH ${one}`, stale, { ...before, name: 'Other' });
  expect((await listOf(home))[0]?.credential?.kind).toBe('session');
  const refused = await cloud.call(`${method} ${one}${path}`, { token: stale, body: change });
  expect([refused.status, refused.body.next_step]).toEqual([403, 'sign_in']);
  await call(`${method} ${one}${path}`, tokens['api token'], change);
  await ENDS['the API token is revoked']();
  expect(await listOf(home)).toMatchObject([{ state: 'suspended', suspended_for: 'token' }]);
});

it.each([
  ['a webhook', '/api/v1/webhooks', WEBHOOK, 'webhooks', 'id'],
  ['an application', '/api/v1/organizations/{id}/applications', APPLICATION, 'oauth_clients', 'client_id'],
] as const)('%s is deleted once a suspension of it is over', async (_, route, body, table, key) => {
  const path = route.replace('{id}', `${organization}`);
  const made = await call<{ id: number; client_id?: string }>(`POST ${path}`, author.token, body);
  const id = made.client_id ?? made.id;
  const column = sql.ref(key === 'id' ? 'webhook_id' : 'client_id');
  let deletion: Promise<{ status: number }> | undefined;
  await cloud.db.transaction().execute(async (tx) => {
    await sql`select from delegations where ${column} = ${id} for update`.execute(tx);
    deletion = cloud.call(`DELETE ${path}/${id}`, { token: author.token });
    await expect.poll(waitingDeletions).toBe(1);
    await sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${id} for update`.execute(tx);
  });
  expect((await deletion)?.status).toBe(204);
});

const waitingDeletions = async (): Promise<number> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from%'`.execute(
    cloud.db,
  );
  return rows.length;
};

it('the end of all takes what the account made, and leaves what waits for its decision', async () => {
  const acts = await KINDS['activation code']('session');
  await ENDS['the author leaves']();
  const inPerson = await session(owner.id);
  await call('POST /api/v1/webhooks', inPerson, WEBHOOK);
  const operator = await session((await cloud.make.user({ staff: true })).id);
  expect(await call('DELETE /api/v1/user/delegations', operator)).toEqual({ ended: 0 });
  expect(await call('DELETE /api/v1/user/delegations', inPerson)).toEqual({ ended: 1 });
  const [left] = await listOf(inPerson);
  expect([left?.kind, left?.state]).toEqual(['activation_code', 'suspended']);
  await call(`POST /api/v1/user/delegations/${left?.id}/keep`, inPerson);
  expect(await acts()).toBe(true);
});

it('a suspended webhook is switched on by a person who keeps it, and by no change', async () => {
  const acts = await KINDS["the organization's webhook"]('session');
  await ENDS['the author leaves']();
  const inPerson = await session(owner.id);
  const [waiting] = await listOf(inPerson);
  const { id } = await cloud.db.selectFrom('webhooks').select('id').executeTakeFirstOrThrow();
  const turn = (enabled: boolean) =>
    cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body: { enabled } });
  const keep = `POST /api/v1/user/delegations/${waiting?.id}/keep`;
  for (const _ of ['suspended', 'switched off then']) {
    const refused = await turn(true);
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining(keep)]);
    await turn(false);
  }
  await call(keep, inPerson);
  expect((await turn(true)).status).toBe(200);
  expect(await acts()).toBe(true);
});

it('ending a token with what it made mails what it made outside of the organization of the session', async () => {
  const elsewhere = await cloud.make.organization();
  const boss = await cloud.make.employee(elsewhere, 'owner');
  await cloud.db
    .insertInto('organization_members')
    .values({ organization_id: elsewhere, user_id: author.id, role: 'admin' })
    .execute();
  const id = await idOf('tokens', home);
  for (const organization_id of [organization, elsewhere])
    await call('POST /api/v1/webhooks', author.token, { ...WEBHOOK, organization_id });
  await cloud.db.updateTable('tokens').set({ organization_id: organization }).where('id', '=', id).execute();
  const limited = await cloud.make.token(author.id, {
    ...{ kind: 'session', scopes: SESSION_SCOPES, organizationId: organization },
  });
  await call(`DELETE /api/v1/user/tokens/${id}?made=end`, limited);
  expect((await listOf(home)).map(({ organization: of, state }) => [of?.id, state])).toEqual([
    [elsewhere, 'suspended'],
  ]);
  await vi.waitFor(async () => {
    const texts = (await cloud.mails(boss.email)).map(({ text }) => text);
    expect(texts.some((text) => text.includes('/user/security'))).toBe(true);
  }, PATIENCE);
});
