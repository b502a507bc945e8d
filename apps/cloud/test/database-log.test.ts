import { randomBytes } from 'node:crypto';
import { PostgresServer } from '@heliograph/dev/postgres';
import { temporaryFolder } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { PASSWORD } from './factory.ts';
import { startTestCloud } from './test-cloud.ts';

it('the log of PostgreSQL has no address of a confirmation that is refused', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(await temporaryFolder()).path;
  let log = '';
  const postgres = undo.use(
    new PostgresServer({
      dataFolder: folder,
      baseFolder: folder,
      password: randomBytes(8).toString('hex'),
      durable: false,
      log: (text) => (log += text),
    }),
  );
  await postgres.start();
  const cloud = undo.use(await startTestCloud({ databaseUrl: postgres.url() }));

  const linkOf = async (email: string) => {
    const { id } = await cloud.make.user();
    const token = await cloud.make.token(id, { kind: 'session' });
    await cloud.call('POST /api/v1/user/email', { token, body: { email, password: PASSWORD } });
    return (await cloud.mail(email)).token;
  };
  const confirm = (token: string) => cloud.call('POST /api/v1/user/email/confirm', { body: { token } });

  await cloud.make.user({ email: 'taken@example.org' });
  expect((await confirm(await linkOf('Taken@example.org'))).status).toBe(422);
  const rivals = [await linkOf('wanted@example.org'), await linkOf('wanted@example.org')];
  const statuses = await Promise.all(rivals.map(confirm));
  expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 422]);

  // The log is complete once it has a later statement.
  await expect(sql`select * from later_than_all`.execute(cloud.db)).rejects.toThrow('later_than_all');
  await expect.poll(() => log).toContain('later_than_all');
  expect(log).not.toMatch(/taken@|wanted@/i);
});
