import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../db/open.ts';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

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
 * Starts taking access away, lets the account ask for a site token while that is half done, and lets both end.
 *
 * @param hold locks something that taking access away changes
 * @returns the status of taking access away, and the answer to the account
 */
async function meanwhile(
  takeAway: () => ReturnType<TestCloud['call']>,
  hold: (tx: Database) => Promise<unknown>,
  ask: () => ReturnType<TestCloud['call']>,
) {
  const tx = await cloud.db.startTransaction().execute();
  await hold(tx);
  const taking = takeAway();
  await expect.poll(() => cloud.waitingForLocks()).toBe(1);
  const asking = ask();
  let answered = false;
  const done = asking.then(() => {
    answered = true;
  });
  await expect.poll(async () => answered || (await cloud.waitingForLocks()) === 2).toBe(true);
  await tx.commit().execute();
  await done;
  return { taken: (await taking).status, answer: await asking };
}

it('a member who is being removed gets no token that outlives it', async () => {
  const { id } = await cloud.make.site({ ownerId: owner.id });
  const member = await cloud.make.user();
  await cloud.make.member(id, member.id, 'admin');
  const { taken, answer } = await meanwhile(
    () => cloud.call(`DELETE /api/v1/sites/${id}/users/${member.id}`, { token: owner.token }),
    (tx) => tx.selectFrom('site_members').selectAll().where('site_id', '=', id).forUpdate().execute(),
    () => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token: member.token }),
  );
  expect([taken, answer.status]).toEqual([204, 404]);
});

it('an employee who is being dismissed gets no token that outlives it', async () => {
  const { id } = await cloud.make.site({ ownerId: owner.id, organizationId });
  const employee = await cloud.make.employee(organizationId);
  await cloud.make.token(employee.id, { organizationId });
  const { taken, answer } = await meanwhile(
    () =>
      cloud.call(`DELETE /api/v1/organizations/${organizationId}/users/${employee.id}`, {
        token: boss.token,
      }),
    // Held after the employment has ended and before that is for good.
    (tx) =>
      tx.selectFrom('tokens').selectAll().where('organization_id', '=', organizationId).forUpdate().execute(),
    () => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token: employee.token }),
  );
  expect([taken, answer.status]).toEqual([204, 404]);
});
