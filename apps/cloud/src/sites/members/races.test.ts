import { afterAll, beforeAll, expect, it } from 'vitest';
import { setScene } from '../../../test/sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const NAMES = { first_name: 'Grace', last_name: 'Hopper' };

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** Starts calls in order while a site is locked, and releases the lock once all of them wait for it. */
async function collide(
  site: number,
  calls: readonly (() => Promise<{ status: number }>)[],
): Promise<number[]> {
  const started: Promise<{ status: number }>[] = [];
  await cloud.db.transaction().execute(async (tx) => {
    await tx.selectFrom('sites').select('id').where('id', '=', site).forUpdate().execute();
    for (const call of calls) {
      started.push(call());
      await expect.poll(() => cloud.waitingForLocks()).toBe(started.length);
    }
  });
  return (await Promise.all(started)).map(({ status }) => status);
}

it('one of several concurrent transfers of ownership succeeds, the others are refused', async () => {
  const { site, owner, admin, member, guest } = await setScene(cloud);
  const heirs = [admin, member, guest];
  const statuses = await collide(
    site,
    heirs.map(({ id }) => () => {
      const route = `PATCH /api/v1/sites/${site}/users/${id}`;
      return cloud.call(route, { token: owner.token, body: { role: 'owner' } });
    }),
  );
  expect(statuses.toSorted()).toEqual([200, 403, 403]);
  const heir = heirs[statuses.indexOf(200)];
  const { body } = await cloud.call<object[]>(`GET /api/v1/sites/${site}/users`, { token: owner.token });
  expect(body.filter((someone) => 'role' in someone && someone.role === 'owner')).toMatchObject([
    { id: heir?.id },
  ]);
});

it('an invitation by an admin that waits for the demotion of that admin is refused with 403', async () => {
  const { site, owner, admin, stranger } = await setScene(cloud);
  const users = `/api/v1/sites/${site}/users`;
  const statuses = await collide(site, [
    () => cloud.call(`PATCH ${users}/${admin.id}`, { token: owner.token, body: { role: 'member' } }),
    () =>
      cloud.call(`POST ${users}`, {
        token: admin.token,
        body: { email: stranger.email, role: 'member', ...NAMES },
      }),
  ]);
  expect(statuses).toEqual([200, 403]);
  const { body } = await cloud.call<object[]>(`GET ${users}`, { token: owner.token });
  expect(body).not.toContainEqual(expect.objectContaining({ id: stranger.id }));
});

it('calls of an admin that wait for the removal of that admin are answered 404', async () => {
  const { site, owner, admin, member, stranger } = await setScene(cloud);
  const users = `/api/v1/sites/${site}/users`;
  const statuses = await collide(site, [
    () => cloud.call(`DELETE ${users}/${admin.id}`, { token: owner.token }),
    () => cloud.call(`DELETE ${users}/${member.id}`, { token: admin.token }),
    () =>
      cloud.call(`POST ${users}`, {
        token: admin.token,
        body: { email: stranger.email, role: 'admin', ...NAMES },
      }),
  ]);
  expect(statuses).toEqual([204, 404, 404]);
});

it('one of two concurrent removals of a member is answered 404', async () => {
  const { site, owner, member } = await setScene(cloud);
  const remove = () => cloud.call(`DELETE /api/v1/sites/${site}/users/${member.id}`, { token: owner.token });
  expect((await collide(site, [remove, remove])).toSorted()).toEqual([204, 404]);
});
