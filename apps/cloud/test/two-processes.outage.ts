import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CloudProcess } from './cloud-process.ts';
import { PASSWORD } from './factory.ts';
import { inParallel } from './in-parallel.ts';
import { Operator } from './operator/admin/operator.ts';
import { ProxyProcess, type SiteCredentials } from './proxy-process.ts';
import type { Answer } from './test-cloud.ts';

const NEW_PASSWORD = 'Another-horse-8';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 60_000;

let database: TestDatabase;
let one: CloudProcess;
let two: CloudProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  // Both at once on an empty database.
  [one, two] = await Promise.all([CloudProcess.start(database.url), CloudProcess.start(database.url)]);
  await one.announce('us-1');
});
afterAll(async () => {
  await one?.[Symbol.asyncDispose]();
  await two?.[Symbol.asyncDispose]();
  await database?.drop();
});

/** As many as both processes have connections to the database: more would wait for one, and be refused after seconds. */
const CONCURRENCY = 20;

/** Sends requests to both processes in turns, as many at once as have a connection. */
function ofBoth(
  times: number,
  request: (cloud: CloudProcess, n: number) => Promise<Answer>,
): Promise<Answer[]> {
  return inParallel([...Array(times).keys()], CONCURRENCY, (n) => request(n % 2 === 0 ? one : two, n));
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();
const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

/** The name of the key that signed a token. */
const signerOf = ({ token }: SiteCredentials) => decodeProtectedHeader(token).kid;

describe('two cloud processes on one database', () => {
  it('failed sign-ins at both processes count together', async () => {
    const { email } = await one.make.user();
    const body = { email, password: 'Wrong-horse-1', organization_id: 'none' };
    const answers = await ofBoth(16, (cloud) =>
      cloud.call('POST /api/v1/sign_in', { body, from: '192.0.2.1' }),
    );
    expect(countOf(answers, 401)).toBe(10);
    expect(countOf(answers, 429)).toBe(6);
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Other networks are not limited.
    const elsewhere = await two.call('POST /api/v1/sign_in', { body: { ...body, password: PASSWORD } });
    expect(elsewhere.status).toBe(200);
  });

  it('a token revoked at one process is refused by the other at once', async () => {
    const user = await one.make.user();
    const session = await one.make.token(user.id, { kind: 'session' });
    const made = await one.call('POST /api/v1/user/tokens', {
      token: session,
      body: { name: 'script', scopes: ['sites:read_all'] },
    });
    const token = String(made.body.token);
    expect((await two.call('GET /api/v1/sites', { token })).status).toBe(200);
    expect((await one.call(`DELETE /api/v1/user/tokens/${made.body.id}`, { token: session })).status).toBe(
      204,
    );
    expect((await two.call('GET /api/v1/sites', { token })).status).toBe(401);
  });

  it.each([
    [
      'a session handed over',
      'session',
      (token: string) => ['POST /api/v1/sign_in', { session_token: token }],
    ],
    [
      'a confirmation link',
      'confirm',
      (token: string) => ['POST /api/v1/user/confirm', { token, organization_id: 'none' }],
    ],
    [
      'a link for a new password',
      'reset',
      (token: string) => [
        `PUT /api/v1/password/reset/${token}`,
        { password: NEW_PASSWORD, organization_id: 'none' },
      ],
    ],
    [
      'an invitation',
      'invite',
      (token: string) => [
        `PUT /api/v1/password/set/${token}`,
        { password: NEW_PASSWORD, organization_id: 'none' },
      ],
    ],
  ] as const)('%s is accepted once under concurrent use', async (_what, purpose, requestOf) => {
    const user = await one.make.user();
    const token = await one.make.oneTimeToken(purpose, { userId: user.id });
    const [route, body] = requestOf(token);
    const answers = await ofBoth(12, (cloud) => cloud.call(String(route), { body }));
    expect(countOf(answers, 200)).toBe(1);
    expect(answers.filter(({ status }) => status === 200 || status === 401 || status === 422)).toHaveLength(
      12,
    );
  });

  it('a pending token is accepted once under concurrent use', async () => {
    const user = await one.make.user();
    const pending_token = await one.make.oneTimeToken('pending', { userId: user.id });
    const body = { email: user.email, pending_token, organization_id: 'none' };
    const answers = await ofBoth(12, (cloud) => cloud.call('POST /api/v1/sign_in', { body }));
    expect(statusesOf(answers)).toEqual([200, ...Array(11).fill(401)]);
  });

  it('a site has exactly one owner during concurrent transfers', async () => {
    const [owner, a, b] = [await one.make.user(), await one.make.user(), await one.make.user()];
    const site = await one.make.site({ ownerId: owner.id });
    const people = [owner, a, b];
    await one.make.member(site.id, a.id, 'admin');
    await one.make.member(site.id, b.id, 'member');
    let isRunning = true;
    const watch = async (): Promise<number> => {
      let looks = 0;
      for (; isRunning; looks++) {
        const { rows } = await sql<{ owners: number; doubles: number }>`select
          (select count(*)::int from sites where id = ${site.id} and owner_id is not null) as owners,
          (select count(*)::int from site_members join sites on sites.id = site_id and owner_id = user_id
            where site_id = ${site.id}) as doubles`.execute(one.db);
        expect(rows).toEqual([{ owners: 1, doubles: 0 }]);
      }
      return looks;
    };
    const watching = watch();
    const answers = await ofBoth(60, (cloud, n) => {
      const from = people[n % 3];
      const to = people[(n + 1 + Math.floor(n / 3)) % 3];
      const role = n % 5 === 4 ? 'admin' : 'owner';
      return cloud.call(`PATCH /api/v1/sites/${site.id}/users/${to?.id}`, {
        token: from?.token,
        body: { role },
      });
    });
    isRunning = false;
    expect(await watching).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => ![200, 403, 404].includes(status))).toEqual([]);
    const transfers = await one.db
      .selectFrom('audit_events')
      .select('id')
      .where('site_id', '=', site.id)
      .where('action', '=', 'site.ownership_transferred')
      .execute();
    expect(transfers.length).toBeGreaterThan(0);
    expect(transfers.length).toBeLessThanOrEqual(countOf(answers, 200));
  });

  it('a device is registered by one of two competing accounts', async () => {
    const uid = await one.make.device();
    const rivals = [await one.make.user(), await one.make.user()];
    const answers = await ofBoth(10, (cloud, n) =>
      cloud.call('POST /api/v1/sites/register', { token: rivals[n % 2]?.token, body: { uid } }),
    );
    expect(statusesOf(answers)).toEqual([...Array(5).fill(200), ...Array(5).fill(404)]);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id)).size).toBe(1);
  });

  it('a name is given to one of several competing sites', async () => {
    const owner = await one.make.user();
    const sites = await Promise.all(Array.from({ length: 6 }, () => one.make.site({ ownerId: owner.id })));
    const answers = await ofBoth(6, (cloud, n) =>
      cloud.call(`PATCH /api/v1/sites/${sites[n]?.id}/name`, {
        token: owner.token,
        body: { name: 'wanted' },
      }),
    );
    expect(statusesOf(answers)).toEqual([200, 422, 422, 422, 422, 422]);
  });

  it('a code with one use activates one device', async () => {
    const organization = await one.make.organization();
    const boss = await one.make.employee(organization, 'owner');
    const made = await one.call(`POST /api/v1/organizations/${organization}/activation_codes`, {
      token: boss.token,
      body: { uses: 1 },
    });
    const { code } = made.body;
    const owner = await one.make.user();
    const uids = await Promise.all(Array.from({ length: 8 }, () => one.make.device({ activated: false })));
    const answers = await ofBoth(8, (cloud, n) =>
      cloud.call('POST /api/v1/sites/request_activation', {
        token: owner.token,
        body: { uid: uids[n], code },
      }),
    );
    expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(422)]);
  });

  it("a proxy's announcements are applied in order and once, whichever process receives them", async () => {
    const { uid, id } = await one.make.site();
    const session = { uid, site_id: id };
    await two.announce('us-both', { run: 'first', sequence: 0 });
    for (let sequence = 1; sequence <= 8; sequence++) {
      const change = sequence % 2 === 1 ? { added: [session] } : { removed: [uid] };
      const answers = await ofBoth(4, (cloud) => cloud.announceChange('us-both', { sequence, ...change }));
      expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
      const { online, count } = await one.db
        .selectFrom('devices')
        .innerJoin('proxies', 'proxies.name', 'devices.proxy_name')
        .select(['devices.online', 'proxies.session_count as count'])
        .where('uid', '=', uid)
        .executeTakeFirstOrThrow();
      expect({ online, count }).toEqual({ online: sequence % 2 === 1, count: sequence % 2 });
    }
  });

  it('concurrent invitations of one new address make one account', async () => {
    const owner = await one.make.user();
    const sites = await Promise.all(Array.from({ length: 4 }, () => one.make.site({ ownerId: owner.id })));
    const body = { email: 'Newcomer@example.org', role: 'member', first_name: 'New', last_name: 'Comer' };
    const answers = await ofBoth(4, (cloud, n) =>
      cloud.call(`POST /api/v1/sites/${sites[n]?.id}/users`, { token: owner.token, body }),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  it('an organization keeps its last owner', async () => {
    const organization = await one.make.organization();
    const owners = [
      await one.make.employee(organization, 'owner'),
      await one.make.employee(organization, 'owner'),
    ];
    const answers = await ofBoth(2, (cloud, n) =>
      cloud.call(`DELETE /api/v1/organizations/${organization}/users/${owners[n]?.id}`, {
        token: owners[n]?.token,
      }),
    );
    expect(statusesOf(answers)).toEqual([204, 403]);
  });

  it('keys are rotated without a failed request, and a revoked key is refused', async () => {
    await using proxy = await ProxyProcess.start(one);
    const user = await one.make.user();
    const token = await one.make.token(user.id, { kind: 'session' });
    const { id } = await one.make.site({ ownerId: user.id });
    const authorize = async (cloud: CloudProcess): Promise<SiteCredentials> => {
      const { body } = await cloud.call(`POST /api/v1/sites/${id}/authorize`, { token });
      return { siteId: id, siteKey: String(body.site_key), token: String(body.token) };
    };
    // As if the second key had been published for long.
    await one.db
      .updateTable('signing_keys')
      .set({ created_at: new Date(0) })
      .execute();
    const operator = new Operator(database.url);
    const before = await authorize(one);

    /** Clients with an old token and with new ones of both processes, until their keys are as they should be. */
    async function useUntil(oldToken: number, rotated: (signers: Set<string | undefined>) => boolean) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const fresh = await Promise.all([one, two].map(authorize));
        const [old, ...statuses] = await Promise.all([before, ...fresh].map((each) => proxy.statusFor(each)));
        expect(statuses).toEqual([503, 503]);
        expect([oldToken, 503]).toContain(old);
        if (old === oldToken && rotated(new Set(fresh.map(signerOf)))) return;
        if (performance.now() > deadline) throw new Error('The keys did not change');
      }
    }

    const { kid: second } = await operator.runForJson<{ kid: string }>('keys rotate sites');
    expect(second).not.toBe(signerOf(before));
    await useUntil(503, (signers) => signers.size === 1 && signers.has(second));

    await operator.runForJson(`keys revoke ${signerOf(before)}`);
    await useUntil(401, (signers) => signers.size === 1 && signers.has(second));
    expect(await proxy.statusFor(before)).toBe(401);
  });
});
