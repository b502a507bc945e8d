import { type AuditEntry, SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

let scenes = 0;

interface Scene {
  readonly device: TestDevice;
  readonly siteId: number;
  readonly owner: TestUser;
  readonly admin: TestUser;
  /** A session of the owner. */
  readonly session: string;
}

async function setScene(): Promise<Scene> {
  await cloud.announce('local-1', { region: 'local' });
  const [device, owner, admin] = await Promise.all([newDevice(), cloud.make.user(), cloud.make.user()]);
  await connect(cloud, device);
  const body = { uid: device.uid, name: `meadow-${++scenes}` };
  const { body: site } = await cloud.call('POST /api/v1/sites/register', { token: owner.token, body });
  const siteId = Number(site.id);
  await cloud.make.member(siteId, admin.id, 'admin');
  const session = await cloud.make.token(owner.id, { kind: 'session', scopes: SESSION_SCOPES });
  return { device, siteId, owner, admin, session };
}

const idOf = async (token: string): Promise<number> => {
  const tokens = await cloud.db.selectFrom('tokens').select(['id', 'hash']).orderBy('id', 'desc').execute();
  return tokens.find(({ hash }) => hash.equals(tokenHash(token)))?.id ?? 0;
};

const delegation = (userId: number, source: string | null, setAt = cloud.clock.now()) => ({
  id: 'mN4bV3xK7pQ2sT9wY1zA0c',
  kind: 'mqtt',
  subject: 'mqtt://192.168.1.5:1883',
  user_id: userId,
  source,
  set_at: new Date(setAt).toISOString(),
});

type Reported = ReturnType<typeof delegation>;

const report = async ({ device }: Scene, ...delegations: readonly unknown[]) =>
  (await connect(cloud, device, { delegations })).body.delegations as { suspended: string; until: string }[];

const suspended = async (scene: Scene, reported: Reported) => (await report(scene, reported))[0]?.suspended;

/** Acts that end the right of an admin who made a delegation in a session, or with an API token. */
const CAUSES: Readonly<
  Record<
    string,
    { readonly session: string | null; readonly api: string | null; act(s: Scene): Promise<unknown> }
  >
> = {
  'the session signs out': {
    session: null,
    api: null,
    act: ({ admin }) =>
      cloud.db
        .updateTable('tokens')
        .set({ revoked_at: new Date(cloud.clock.now()) })
        .where('user_id', '=', admin.id)
        .where('kind', '=', 'session')
        .execute(),
  },
  'the API token is revoked': {
    session: null,
    api: 'token',
    act: ({ admin }) =>
      cloud.db
        .updateTable('tokens')
        .set({ revoked_at: new Date(cloud.clock.now()) })
        .where('user_id', '=', admin.id)
        .where('kind', '=', 'api')
        .execute(),
  },
  'the member is removed': {
    session: 'role',
    api: 'role',
    act: ({ siteId, owner, admin }) =>
      cloud.call(`DELETE /api/v1/sites/${siteId}/users/${admin.id}`, { token: owner.token }),
  },
  'the member is demoted': {
    session: 'role',
    api: 'role',
    act: ({ siteId, owner, admin }) =>
      cloud.call(`PATCH /api/v1/sites/${siteId}/users/${admin.id}`, {
        token: owner.token,
        body: { role: 'member' },
      }),
  },
  'the account is being closed': {
    session: 'account',
    api: 'account',
    act: ({ admin }) =>
      cloud.db
        .insertInto('account_deletions')
        .values({
          user_id: admin.id,
          requested_at: new Date(cloud.clock.now()),
          due_at: new Date(cloud.clock.now() + 1000),
        })
        .execute(),
  },
};

describe('a delegation that a device reports', () => {
  it.each(Object.entries(CAUSES))(
    'a delegation loses its author, or keeps it, by its credential when %s',
    async (_name, { session, api, act }) => {
      const scene = await setScene();
      const { admin } = scene;
      const opened = await cloud.make.token(admin.id, { kind: 'session', scopes: SESSION_SCOPES });
      const bySession = delegation(admin.id, `token:${await idOf(opened)}`);
      const byToken = {
        ...delegation(admin.id, `token:${await idOf(admin.token)}`),
        id: 'mN4bV3xK7pQ2sT9wY1zA0d',
      };
      const before = await report(scene, bySession, byToken);
      expect(before.map((one) => one.suspended)).toEqual([null, null]);
      await act(scene);
      const after = await report(scene, bySession, byToken);
      expect(after.map((one) => one.suspended)).toEqual([session, api]);
    },
  );

  it('the device gets the expiry of the API token, after which the delegation is suspended', async () => {
    const scene = await setScene();
    const expiresAt = new Date(cloud.clock.now() + 60_000);
    const token = await cloud.make.token(scene.admin.id, { expiresAt });
    const reported = delegation(scene.admin.id, `token:${await idOf(token)}`);
    expect(await report(scene, reported)).toMatchObject([
      { suspended: null, until: expiresAt.toISOString() },
    ]);
    cloud.clock.advance(60_000);
    await cloud.announce('local-1', { region: 'local' });
    expect(await suspended(scene, reported)).toBe('token');
  });

  it.each(['sites:read_all', 'sites:recover_all'] as const)(
    'an API token of the owner with %s alone delegates nothing',
    async (scope) => {
      const scene = await setScene();
      const token = await cloud.make.token(scene.owner.id, { scopes: [scope] });
      expect(await suspended(scene, delegation(scene.owner.id, `token:${await idOf(token)}`))).toBe('role');
    },
  );

  it.each([
    ['a third party', 'grant:abcdef', {}, 'token'],
    ['an API token that is gone', 'token:999999999', { person: false }, 'token'],
    ['a session that is gone', 'token:999999999', { person: true }, null],
    // An earlier release of the device does not report which of both it was.
    ['a credential that is gone', 'token:999999999', {}, null],
  ])('%s (%s %j) delegates: %s', async (_name, source, kind, expected) => {
    const scene = await setScene();
    expect(await suspended(scene, { ...delegation(scene.owner.id, source), ...kind })).toBe(expected);
  });

  it('a delegation of a session that returns once its session is gone stays in effect', async () => {
    const scene = await setScene();
    const id = await idOf(scene.session);
    const reported = { ...delegation(scene.owner.id, `token:${id}`), person: true };
    expect(await suspended(scene, reported)).toBeNull();
    // The device runs with its last working configuration meanwhile.
    expect(await report(scene)).toEqual([]);
    await cloud.db.deleteFrom('tokens').where('id', '=', id).execute();
    expect(await suspended(scene, reported)).toBeNull();
  });

  it('a delegation stays suspended when the member returns, until it is made again', async () => {
    const scene = await setScene();
    const { admin, owner, siteId } = scene;
    const reported = delegation(admin.id, null);
    expect(await suspended(scene, reported)).toBeNull();
    await CAUSES['the member is removed']?.act(scene);
    expect(await suspended(scene, reported)).toBe('role');
    await cloud.make.member(siteId, admin.id, 'admin');
    expect(await suspended(scene, reported)).toBe('role');
    expect(await suspended(scene, delegation(owner.id, null, cloud.clock.now() + 1))).toBeNull();
  });

  it('the owner gets one mail about all that is suspended, which leads to the page of the device', async () => {
    const scene = await setScene();
    const { admin, owner, siteId } = scene;
    const reported = [
      delegation(admin.id, null),
      {
        ...delegation(admin.id, null),
        id: 'mN4bV3xK7pQ2sT9wY1zA0d',
        kind: 'setting_writes',
        subject: '5000',
      },
    ];
    await report(scene, ...reported);
    await CAUSES['the member is removed']?.act(scene);
    await report(scene, ...reported);
    await report(scene, ...reported);
    const { subject, text } = await cloud.mail(owner.email);
    expect(subject).toBe(`Changes of settings of meadow-${scenes} are suspended`);
    expect(text).toContain('Clients of the MQTT broker mqtt: / /192.168. 1. 5:1883 change settings.');
    expect(text).toContain('A setting may be changed 5000 times a day.');
    expect(text).toContain(`${cloud.url}/sites/${siteId}/device\n`);
    expect(text).not.toContain(admin.email);
  });

  it('a device learns nothing of accounts without a role on its site', async () => {
    const scene = await setScene();
    const [stranger, closing] = await Promise.all([cloud.make.user(), cloud.make.user()]);
    await CAUSES['the account is being closed']?.act({ ...scene, admin: closing });
    const good = `token:${await idOf(stranger.token)}`;
    const attempts = [
      delegation(stranger.id, null),
      delegation(stranger.id, good),
      delegation(stranger.id, 'token:999999999'),
      delegation(stranger.id, 'grant:abcdef'),
      delegation(closing.id, null),
      delegation(closing.id, good),
      delegation(2_000_000_000, null),
      delegation(2_000_000_000, good),
    ].map((one, index) => ({ ...one, id: `${one.id.slice(0, -1)}${index}`, person: false }));
    expect(await report(scene, ...attempts)).toMatchObject(
      attempts.map(({ id }) => ({ id, suspended: 'role', until: null })),
    );
  });

  it('a suspension is in the log of the site once, with its reason', async () => {
    const scene = await setScene();
    const { siteId, session } = scene;
    const reported = delegation(scene.admin.id, null);
    await report(scene, reported);
    await CAUSES['the member is removed']?.act(scene);
    await report(scene, reported);
    await report(scene, reported);
    const route = `GET /api/v1/sites/${siteId}/audit`;
    const { body } = await cloud.call<AuditEntry[]>(route, { token: session });
    expect(body.filter(({ action }) => action === 'delegation.suspended')).toMatchObject([
      { actor: null, details: { kind: 'device_mqtt', name: reported.subject, reason: 'role' } },
    ]);
  });

  it('a device that reports other delegations with each call has each of them refused, and twenty calls recorded and mailed', async () => {
    const scene = await setScene();
    for (let call = 0; call < 25; call++) {
      const id = `hostile-device-${String(call).padStart(7, '0')}`;
      const stranger = { ...delegation(scene.owner.id + 1_000, 'token:1'), id };
      expect(await report(scene, stranger)).toMatchObject([{ suspended: 'role' }]);
    }
    const { body: log } = await cloud.call<AuditEntry[]>(
      `GET /api/v1/sites/${scene.siteId}/audit?limit=100`,
      {
        token: scene.session,
      },
    );
    expect(log.filter(({ action }) => action === 'delegation.suspended')).toHaveLength(20);
    const mailed = async () =>
      (await cloud.mails(scene.owner.email)).filter(({ subject }) => subject.endsWith('are suspended'));
    await expect.poll(async () => (await mailed()).length).toBe(20);
  });

  it('an owner who has not accepted the site gets the mail once that is done', async () => {
    const scene = await setScene();
    const { siteId, owner, admin } = scene;
    const reported = delegation(admin.id, null);
    await report(scene, reported);
    await CAUSES['the member is removed']?.act(scene);
    const names = { email: owner.email, first_name: '', last_name: '', invited_by: null };
    const ids = { site_id: siteId, user_id: owner.id };
    await cloud.db
      .insertInto('site_invitations')
      .values({ ...ids, ...names, created_at: new Date(cloud.clock.now()) })
      .execute();
    expect(await suspended(scene, reported)).toBe('role');
    await cloud.db.deleteFrom('site_invitations').where('site_id', '=', siteId).execute();
    await report(scene, reported);
    await report(scene, reported);
    expect((await cloud.mail(owner.email)).subject).toContain(`meadow-${scenes} are suspended`);
    expect(await cloud.mails(owner.email)).toHaveLength(1);
  });

  it.each([
    ['a text', 'mqtt'],
    ['a row without an author', { ...delegation(1, null, 0), user_id: undefined }],
    ['an id of another shape', { ...delegation(1, null, 0), id: 'x' }],
    ['a date that is none', { ...delegation(1, null, 0), set_at: '2026-02-31T25:00:00Z' }],
    ['an account number beyond all', { ...delegation(1, null, 0), user_id: 2 ** 40 }],
  ])('%s is left out', async (_name, row) => {
    const scene = await setScene();
    expect(await report(scene, row)).toEqual([]);
  });

  it('a subject is stored without control characters and halves of characters', async () => {
    const scene = await setScene();
    const row = { ...delegation(scene.admin.id, null), subject: 'mqtt://a\u0000\u202e\ud800b' };
    expect(await suspended(scene, row)).toBeNull();
    const stored = cloud.db.selectFrom('device_delegations').select('subject');
    const [found] = await stored.where('site_id', '=', scene.siteId).execute();
    expect(found?.subject).toMatch(/^[ -~\uFFFD]+$/);
  });

  it('an API token that is revoked after its site tokens expired is news for the device', async () => {
    const scene = await setScene();
    const { admin, device } = scene;
    const id = await idOf(admin.token);
    await report(scene, delegation(admin.id, `token:${id}`));
    const opened = await cloud.make.token(admin.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await cloud.call(`DELETE /api/v1/user/tokens/${id}`, { token: opened })).status).toBe(204);
    const { revocations } = (await connect(cloud, device)).body;
    expect(revocations).toMatchObject([{ subject: `token:${id}` }]);
  });

  it('a session that is ended with what it made takes its delegations along', async () => {
    const scene = await setScene();
    const { admin, device } = scene;
    const kind = { kind: 'session', scopes: SESSION_SCOPES } as const;
    const [stolen, own] = [await cloud.make.token(admin.id, kind), await cloud.make.token(admin.id, kind)];
    const id = await idOf(stolen);
    const reported = delegation(admin.id, `token:${id}`);
    expect(await suspended(scene, reported)).toBeNull();
    const route = `DELETE /api/v1/user/sessions/${id}?made=end`;
    expect((await cloud.call(route, { token: own })).status).toBe(204);
    const { revocations } = (await connect(cloud, device)).body;
    expect(revocations).toMatchObject([{ subject: `token:${id}` }]);
    expect(await suspended(scene, reported)).toBe('token');
  });
});
