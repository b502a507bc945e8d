import { createTestDatabase } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Operator } from '../../../test/operator/admin/operator.ts';
import { openDatabase } from '../../db/open.ts';

/** Typed wrongly, a command opens no database. */
const nowhere = new Operator('postgres://nobody@127.0.0.1:1/none');

const PAIR = '--first-name A --last-name B';

it.each([
  ['fly', 'There is no command "fly"', ''],
  ['users fly', 'There is no command "users fly"', ' users'],
  ['--fly', 'There is no option "--fly"', ''],
  ['users create', '<email> is missing', ' users create'],
  ['users create me', '"me" is not an email address', ' users create'],
  ['users create a@b.c --last-name B', '--first-name is missing', ' users create'],
  [`users create a@b.c ${PAIR} --role admin`, '--role needs --organization', ' users create'],
  [
    `users create a@b.c ${PAIR} --organization 1 --role king`,
    '--role must be one of owner, admin, member',
    ' users create',
  ],
  [
    `users create a@b.c ${PAIR} --invite --password-stdin`,
    '--invite and --password-stdin exclude each other',
    ' users create',
  ],
  [`users create a@b.c ${PAIR} --password Sunshine-1`, "Unknown option '--password'", ' users create'],
  ['users rename a@b.c', 'There is nothing to change', ' users rename'],
  [
    `users rename a@b.c --last-name ${'x'.repeat(256)}`,
    '--last-name must have at most 255 characters',
    ' users rename',
  ],
  ['users email a@b.c', '<new email> is missing', ' users email'],
  ['users email a@b.c me', '"me" is not an email address', ' users email'],
  ['users staff a@b.c', 'Either --on or --off is needed', ' users staff'],
  ['users staff a@b.c --on --off', 'Either --on or --off is needed', ' users staff'],
  ['users list --limit 201', '--limit must be a whole number from 1 to 200', ' users list'],
  [
    'organizations add a@b.c --organization 2147483648 --role owner',
    '--organization must be a whole number from 1 to 2147483647',
    ' organizations add',
  ],
  ['organizations change 1', 'There is nothing to change', ' organizations change'],
  [
    'organizations change 1 --locale xx',
    '--locale must be one of af, cs, da, de, el, en, es, fr, hu, it, lt, nl, pl, pt, ro, uk, vi, zh_CN, zh_TW',
    ' organizations change',
  ],
  ['devices provision', '<uid> is missing', ' devices provision'],
  ['sites transfer 1', '<email> is missing', ' sites transfer'],
  [
    'devices list --state on',
    '--state must be one of provisioned, inactive, unregistered, registered, released, revoked',
    ' devices list',
  ],
  ['codes create --uses 0', '--uses must be a whole number from 1 to 100000', ' codes create'],
  ['tokens create a@b.c --scopes all', '--name is missing', ' tokens create'],
  [
    'tokens create a@b.c --name N --scopes sites:fly',
    '"sites:fly" is no scope: all, or some of sites:read_all, sites:write_all, sites:recover_all, users:read_all, ' +
      'orders:read_all, orders:write_all, products:read_all, tickets:read_all, tickets:write_all',
    ' tokens create',
  ],
  ['audit --site x', '--site must be a whole number from 1 to 2147483647', ' audit'],
])('%s is refused in one line, with exit code 2', async (line, message, about) => {
  const hint = `(see "heliograph admin${about} --help")`;
  const err = `heliograph admin: ${message} ${hint}\n`;
  expect(await nowhere.run(line)).toEqual({ code: 2, out: '', err });
});

describe('help of heliograph admin', () => {
  it.each([
    ['--help', 0, /^heliograph admin NOUN VERB .*users create .*audit /s],
    ['users --help', 0, /^heliograph admin NOUN VERB (?!.*devices list).*users create/s],
    ['users', 2, /users create/],
    ['user create -h', 0, /^heliograph admin users create EMAIL .*--password-stdin/s],
    ['audit --help', 0, /^heliograph admin audit \[--site ID\]/],
  ])('"%s" prints its help', async (line, code, start) => {
    expect(await nowhere.run(line)).toEqual({ code, out: expect.stringMatching(start), err: '' });
  });

  it('the overview is printed without arguments', async () => {
    expect(await nowhere.run([])).toEqual({
      code: 2,
      out: expect.stringContaining('users create'),
      err: '',
    });
  });
});

describe('database of heliograph admin', () => {
  it('an empty database gets its tables, with a line on standard error', async () => {
    await using database = await createTestDatabase();
    const operator = new Operator(database.url);
    const made = await operator.run(
      'users create first@example.org --first-name A --last-name B --staff --json',
    );
    expect(made).toMatchObject({ code: 0, err: "The database was empty: made Heliograph's tables\n" });
    expect(JSON.parse(made.out)).toMatchObject({ id: 1, staff: true });
    expect((await operator.run('users list')).err).toBe('');
  });

  it('a database of an older release is left unchanged', async () => {
    await using database = await createTestDatabase();
    const operator = new Operator(database.url);
    await operator.run('users list');
    const { db, close } = openDatabase(database.url, () => undefined);
    await sql`delete from migrations where name = (select max(name) from migrations)`.execute(db);
    expect(await operator.run('users list')).toEqual({
      code: 1,
      out: '',
      err: 'heliograph admin: The database is of an older release: start the cloud once, which brings it up to date\n',
    });
    await close();
  });

  it('a database of another application is left unchanged', async () => {
    await using database = await createTestDatabase();
    const { db, close } = openDatabase(database.url, () => undefined);
    await db.schema.createTable('invoices').addColumn('id', 'integer').execute();
    const { code, err } = await new Operator(database.url).run('users list');
    expect(code).toBe(1);
    expect(err).toContain("holds another application's tables");
    await close();
  });

  it('an unreachable database is reported in one line', async () => {
    const { code, out, err } = await nowhere.run('users list');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^heliograph admin: The database cannot be reached: .*\n$/);
  });
});
