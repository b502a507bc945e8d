import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { TestPerson } from '../../test/oauth/person.ts';
import { ThirdParty } from '../../test/oauth/third-party.ts';
import { startTestCloud } from '../../test/test-cloud.ts';

it('a token that is being issued when the cloud stops is sent, and idle connections do not delay the stop', async () => {
  const cloud = await startTestCloud();
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  const code = await person.code(await application.authorizationUrl());

  const { redeemed, stopped } = await cloud.db.transaction().execute(async (tx) => {
    await sql`lock table tokens in share mode`.execute(tx);
    const redeemed = application.redeem(code);
    await expect.poll(() => cloud.waitingForLocks()).toBe(1);
    // The lock keeps the database open too, which closes after the cloud's own stop.
    const stopped = cloud[Symbol.asyncDispose]();
    await expect.poll(() => fetch(cloud.url).then(String, () => 'refused')).toBe('refused');
    return { redeemed, stopped };
  });
  const { status, headers } = await redeemed;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});
