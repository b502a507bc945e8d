import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestCloud } from '../../testing/test-cloud.ts';
import { KeyRepository } from './repository.ts';

it('adds one first key, however many processes bring theirs at once', async () => {
  await using cloud = await startTestCloud();
  await cloud.db.deleteFrom('signing_keys').execute();
  const keys = new KeyRepository(cloud.db);
  const candidates = ['a', 'b', 'c', 'd'].map((kid) => ({
    kid,
    sealed: Buffer.from(kid),
    createdAt: new Date(cloud.clock.now()),
  }));
  // The table is held until all four wait to write to it.
  const { added } = await cloud.db.transaction().execute(async (tx) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
    const adding = Promise.all(candidates.map((key) => keys.addFirst(key)));
    await expect.poll(() => cloud.waitingForLocks()).toBe(candidates.length);
    return { added: adding };
  });
  await added;
  expect(await keys.all()).toHaveLength(1);
});
