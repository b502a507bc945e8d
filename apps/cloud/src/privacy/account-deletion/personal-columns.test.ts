import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mistakesInColumns } from '../../../test/privacy/account-deletion/column-check.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

describe('columns that could hold a person', () => {
  it('every one of them has a decision about what becomes of it, which its foreign key agrees with', async () => {
    expect(await mistakesInColumns(cloud.db)).toEqual([]);
  });

  it('a new table, a new column, and a reference to an account without a decision are named', async () => {
    await sql`alter table orders add column nickname text, add column weight integer`.execute(cloud.db);
    await sql`create table pets (
      id integer primary key, keeper integer references users, friends text[], born date, photo bytea
    )`.execute(cloud.db);
    const mistakes = await mistakesInColumns(cloud.db);
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual([
      'orders.nickname',
      'pets.keeper',
      'pets.friends',
      'pets.photo',
    ]);
    expect(mistakes[0]).toContain('decide what becomes of it');
    await sql`drop table pets`.execute(cloud.db);
    await sql`alter table orders drop column nickname, drop column weight`.execute(cloud.db);
  });

  it('a decision that the foreign key contradicts, and one about a column that is gone, are named', async () => {
    await sql`alter table passkeys drop constraint passkeys_user_id_fkey,
      add constraint passkeys_user_id_fkey foreign key (user_id) references users on delete set null`.execute(
      cloud.db,
    );
    await sql`alter table orders rename column note to remark`.execute(cloud.db);
    expect(await mistakesInColumns(cloud.db)).toEqual([
      expect.stringContaining('orders.remark could hold a person'),
      expect.stringContaining(
        'passkeys.user_id is deleted in personal-columns.ts, and its foreign key says SET NULL',
      ),
      expect.stringContaining('orders.note is in personal-columns.ts, and in no table'),
    ]);
  });
});
