import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import type { Database } from '../../db/open.ts';

let cloud: TestCloud;
let owner: TestUser;
let boss: TestUser;
let organizationId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  organizationId = await cloud.make.organization();
  boss = await cloud.make.employee(organizationId, 'owner');
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/**
 * Starts a revocation of access, lets the account request a site token before that commits, and ends both.
 *
 * @param lock locks a row that the revocation changes
 * @returns the status of the revocation, and the answer to the account
 */
async function revokeWhile(
  revoke: () => ReturnType<TestCloud['call']>,
  lock: (tx: Database) => Promise<unknown>,
  authorize: () => ReturnType<TestCloud['call']>,
) {
  const tx = await cloud.db.startTransaction().execute();
  await lock(tx);
  const revoking = revoke();
  await expect.poll(() => cloud.waitingForLocks()).toBe(1);
  const authorizing = authorize();
  let answered = false;
  const done = authorizing.then(() => {
    answered = true;
  });
  await expect.poll(async () => answered || (await cloud.waitingForLocks()) === 2).toBe(true);
  await tx.commit().execute();
  await done;
  return { taken: (await revoking).status, answer: await authorizing };
}

it('a member whose removal is in progress gets no site token that outlives it', async () => {
  const { id } = await cloud.make.site({ ownerId: owner.id });
  const member = await cloud.make.user();
  await cloud.make.member(id, member.id, 'admin');
  const { taken, answer } = await revokeWhile(
    () => cloud.call(`DELETE /api/v1/sites/${id}/users/${member.id}`, { token: owner.token }),
    (tx) => tx.selectFrom('site_members').selectAll().where('site_id', '=', id).forUpdate().execute(),
    () => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token: member.token }),
  );
  expect([taken, answer.status]).toEqual([204, 404]);
});

it('an employee whose removal is in progress gets no site token that outlives it', async () => {
  const { id } = await cloud.make.site({ ownerId: owner.id, organizationId });
  const employee = await cloud.make.employee(organizationId);
  await cloud.make.token(employee.id, { organizationId });
  const { taken, answer } = await revokeWhile(
    () =>
      cloud.call(`DELETE /api/v1/organizations/${organizationId}/users/${employee.id}`, {
        token: boss.token,
      }),
    // The lock is taken after the employment ended and before the transaction commits.
    (tx) =>
      tx.selectFrom('tokens').selectAll().where('organization_id', '=', organizationId).forUpdate().execute(),
    () => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token: employee.token }),
  );
  expect([taken, answer.status]).toEqual([204, 404]);
});
