import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestCloud } from '../testing/test-cloud.ts';
import { TestPerson } from './testing/person.ts';
import { ThirdParty } from './testing/third-party.ts';

it('a token that is being issued when the cloud stops is given, and no kept connection holds the stop up', async () => {
  const cloud = await startTestCloud();
  const application = await ThirdParty.make(cloud);
  const person = await TestPerson.make(cloud);
  const code = await person.code(await application.authorizationUrl());

  const { redeemed, stopped } = await cloud.db.transaction().execute(async (tx) => {
    await sql`lock table tokens in share mode`.execute(tx);
    const redeemed = application.redeem(code);
    await expect.poll(() => cloud.waitingForLocks()).toBe(1);
    // What is held keeps the database from going, too: that comes after the cloud's own stop.
    const stopped = cloud[Symbol.asyncDispose]();
    await expect.poll(() => fetch(cloud.url).then(String, () => 'refused')).toBe('refused');
    return { redeemed, stopped };
  });
  const { status, headers } = await redeemed;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});
