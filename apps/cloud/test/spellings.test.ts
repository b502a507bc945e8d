import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { foldText } from '@heliograph/contracts/folded-text';
import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalizeEmails, queriesOf } from '../src/db/canonical-emails.ts';
import { PASSWORD, type TestUser } from './factory.ts';
import { Operator } from './operator/admin/operator.ts';
import { startTestCloud, type TestCloud } from './test-cloud.ts';
import { tracingLogger } from './tracing-logger.ts';

const MIGRATIONS = join(import.meta.dirname, '../src/db/migrations');

/** A database of a Turkish machine, with rows of a release that left letter case to the database. */
async function formerDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ language: 'tr-TR' });
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const files = (await readdir(MIGRATIONS)).filter((name) => name < '0065').sort();
  for (const name of files) await pool.query(await readFile(join(MIGRATIONS, name), 'utf8'));
  await pool.query(
    'create table migrations (name text primary key, run_at timestamptz not null default now())',
  );
  await pool.query('insert into migrations (name) select unnest($1::text[])', [files]);
  await pool.query(`
    insert into users (email, last_name, confirmed_at) values
      ('Ada@Example.ORG', 'INCE', now()), ('ida@BÜCHER.example', '', now()),
      ('INFO@EXAMPLE.ORG', '', now()), ('info@example.org', '', now()),
      ('KIM@EXAMPLE.ORG', '', null), ('Kim@Example.org', '', now()),
      ('strauß@example.org', '', now()),
      ('Élodie@example.org', '', now()), ('Иван@почта.example', '', now()),
      ('Олег@ПОЧТА.example', '', now()), ('олег@xn--80a1acny.example', '', now()),
      ('LINE@example.org', '', now()), ('LiNE@example.org', '', now()),
      ('MINE@example.org', '', now()), ('MiNE@example.org', '', null);
    insert into organizations (name) values
      ('SOLAR INVEST'), ('solar invest'), ('Solar Invest 2'), ('SOLAR invest 2 2');
    insert into sites (name, region, owner_id) values ('LIGHT', 'us', 1), ('light', 'us', 1), ('Light', 'eu', 1),
      ('light-2', 'us', 1);
    insert into devices (uid, site_id, inverter) values ('u', 1, 'HYBRID I6, SUNNI')`);
  await pool.end();
  return database;
}

let database: TestDatabase;
let cloud: TestCloud;
let staff: TestUser;
let operator: Operator;
const { logger, lines } = tracingLogger();
beforeAll(async () => {
  database = await formerDatabase();
  cloud = await startTestCloud({}, logger, { database });
  staff = await cloud.make.user({ staff: true });
  operator = new Operator(cloud.databaseUrl);
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await database?.drop();
});

const rows = async (query: string) => (await queriesOf(cloud.db).query(query, [])).rows;
const read = async <T>(path: string) => (await cloud.call<T>(`GET ${path}`, { token: staff.token })).body;
const idsOf = async (path: string, q: string) => {
  const found = await read<readonly { id: number }[]>(`${path}?limit=200&q=${encodeURIComponent(q)}`);
  return found.map(({ id }) => id);
};
const shownEmail = async (typed: string) => {
  const { code, out } = await operator.run(['users', 'show', typed, '--json']);
  return code === 0 ? JSON.parse(out).email : undefined;
};

/** SQL functions and operators whose answer depends on the locale of the database. */
const LOCALE_DEPENDENT = /\b(?:lower|upper|initcap)\(|\bilike\b|\bcitext\b|~\*/;

it('no query leaves letter case to the database', async () => {
  const folder = join(import.meta.dirname, '../src');
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) =>
      (name.endsWith('.ts') && !name.endsWith('.test.ts')) ||
      (name.endsWith('.sql') && basename(name) >= '0066'),
  );
  const found: string[] = [];
  for (const name of files) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (
        LOCALE_DEPENDENT.test(line.replace('lower(given collate "C")', '')) &&
        !/^\s*(?:\*|\/\*|\/\/|--)/.test(line)
      )
        found.push(`${name}:${index + 1}`);
  }
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

describe('a database whose lower() is Turkish', () => {
  it('each letter is folded as the program does it', async () => {
    expect(await rows(`select lower('I') as lower`)).toEqual([{ lower: 'ı' }]);
    const letters: string[] = [];
    for (let point = 1; point <= 0x1ffff; point++) {
      const letter = String.fromCodePoint(point);
      if (/^[\p{L}\p{M}\p{N}\p{So}]$/u.test(letter) && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(letter))
        letters.push(/\p{M}/u.test(letter) ? `I${letter}` : letter);
    }
    const { rows: folded } = await sql<{ text: string; form: string }>`
      select folded(letter) as text, normalize(letter, NFKC) as form from unnest(${letters}::text[]) with ordinality as given (letter, place)
      order by place`.execute(cloud.db);
    expect(letters.length).toBeGreaterThan(10_000);
    const differing = letters.filter((letter, place) => folded[place]?.text !== foldText(letter));
    // A letter that Unicode added after the release of one of both.
    const known = differing.filter(
      (letter) => folded[letters.indexOf(letter)]?.form === letter.normalize('NFKC'),
    );
    expect(known).toEqual([]);
  });

  it('addresses have one form after an upgrade, and doubles stay apart', async () => {
    expect(await rows(`select id, email from users where id <= 15 order by id`)).toEqual([
      { id: 1, email: 'ada@example.org' },
      { id: 2, email: 'ida@xn--bcher-kva.example' },
      { id: 3, email: 'INFO@EXAMPLE.ORG' },
      { id: 4, email: 'info@example.org' },
      { id: 5, email: 'KIM@EXAMPLE.ORG' },
      { id: 6, email: 'kim@example.org' },
      { id: 7, email: 'strauß@example.org' },
      { id: 8, email: 'élodie@example.org' },
      { id: 9, email: 'иван@xn--80a1acny.example' },
      { id: 10, email: 'Олег@ПОЧТА.example' },
      { id: 11, email: 'олег@xn--80a1acny.example' },
      { id: 12, email: 'LINE@example.org' },
      { id: 13, email: 'line@example.org' },
      { id: 14, email: 'MINE@example.org' },
      { id: 15, email: 'MiNE@example.org' },
    ]);
    expect(lines.filter((line) => line.includes('users doubles'))).toHaveLength(1);
    expect(lines.find((line) => line.includes('users doubles'))).toContain('"accounts":7');
    expect(await operator.runForJson(['users', 'doubles'])).toMatchObject([
      { id: 3, email: 'INFO@EXAMPLE.ORG', same_as: { id: 4, email: 'info@example.org' } },
      { id: 5, email: 'KIM@EXAMPLE.ORG', same_as: { id: 6, email: 'kim@example.org' } },
      { id: 7, email: 'strauß@example.org', same_as: null },
      { id: 10, email: 'Олег@ПОЧТА.example', same_as: { id: 11 } },
      { id: 12, email: 'LINE@example.org', same_as: { id: 13 } },
      { id: 14, email: 'MINE@example.org', same_as: null },
      { id: 15, email: 'MiNE@example.org', same_as: null },
    ]);
  });

  it.each([
    ['ADA@EXAMPLE.ORG', 'ada@example.org'],
    ['ida@bücher.example', 'ida@xn--bcher-kva.example'],
    ['IDA@BU\u0308CHER.EXAMPLE', 'ida@xn--bcher-kva.example'],
    ['INFO@EXAMPLE.ORG', 'INFO@EXAMPLE.ORG'],
    ['Info@example.org', 'info@example.org'],
    ['KIM@EXAMPLE.ORG', 'KIM@EXAMPLE.ORG'],
    ['Kim@Example.org', 'kim@example.org'],
    ['strauß@example.org', 'strauß@example.org'],
    ['strauss@example.org', undefined],
    ['élodie@example.org', 'élodie@example.org'],
    ['Élodie@example.org', 'élodie@example.org'],
    ['ÉLODIE@EXAMPLE.ORG', 'élodie@example.org'],
    ['иван@почта.example', 'иван@xn--80a1acny.example'],
    ['Иван@почта.example', 'иван@xn--80a1acny.example'],
    ['Олег@ПОЧТА.example', 'Олег@ПОЧТА.example'],
    ['Олег@почта.example', 'олег@xn--80a1acny.example'],
    ['ınfo@example.org', undefined],
    ['ada@exampıe.org', undefined],
  ])('%s leads to the account %s', async (typed, email) => {
    expect(await shownEmail(typed)).toBe(email);
  });

  it('addresses that a release before it writes get their form by the next hour', async () => {
    await rows(`insert into users (email) values ('Late@BÜCHER.example'), ('Later@example.org')`);
    await canonicalizeEmails(queriesOf(cloud.db));
    expect(await shownEmail('late@bücher.example')).toBe('late@xn--bcher-kva.example');
    expect(await shownEmail('later@example.org')).toBe('later@example.org');
  });

  it('an invitation is refused until the hour gives an address its form', async () => {
    const { rows: added } = await queriesOf(cloud.db).query<{ id: number }>(
      `insert into users (email, confirmed_at) values ('Zoé@example.org', now()) returning id`,
      [],
    );
    const organization = await cloud.make.organization();
    const site = await cloud.make.site({ ownerId: staff.id });
    const person = { email: 'zoé@example.org', first_name: 'Zoé', last_name: 'Late' };
    const invite = () =>
      Promise.all([
        cloud.call(`POST /api/v1/sites/${site.id}/users`, {
          token: staff.token,
          body: { ...person, role: 'member' },
        }),
        cloud.call(`POST /api/v1/organizations/${organization}/users`, {
          token: staff.token,
          body: { ...person, role: 'admin' },
        }),
      ]);
    const refusal = { status: 422, body: { errors: { email: ['has already been taken'] } } };
    expect(await invite()).toMatchObject([refusal, refusal]);
    await canonicalizeEmails(queriesOf(cloud.db));
    const invited = { status: 200, body: { id: added[0]?.id } };
    expect(await invite()).toMatchObject([invited, invited]);
  });

  it('names that are one now are apart, and the log has what they were', async () => {
    expect(await rows('select name from organizations where id <= 4 order by id')).toEqual([
      { name: 'SOLAR INVEST' },
      { name: 'solar invest 2 2 2' },
      { name: 'Solar Invest 2' },
      { name: 'SOLAR invest 2 2' },
    ]);
    expect(await rows('select name from sites where id <= 4 order by id')).toEqual([
      { name: 'LIGHT' },
      { name: 'light-2-2' },
      { name: 'Light' },
      { name: 'light-2' },
    ]);
    expect(
      await rows(`select action, details from audit_events where via = 'service' order by id limit 2`),
    ).toEqual([
      {
        action: 'organization.changed',
        details: { name: { from: 'solar invest', to: 'solar invest 2 2 2' } },
      },
      { action: 'site.renamed', details: { from: 'light', to: 'light-2-2' } },
    ]);
    const taken = await cloud.call('POST /api/v1/organizations', {
      token: staff.token,
      body: { name: 'Solar INVEST' },
    });
    expect(taken).toMatchObject({ status: 422, body: { errors: { name: ['has already been taken'] } } });
  });

  it('words stored before the upgrade are found', async () => {
    expect(await idsOf('/api/v1/users', 'ince')).toEqual([1]);
    expect(await idsOf('/api/v1/sites', 'inverter:sunni')).toEqual([1]);
    expect(await idsOf('/api/v1/sites', 'sunni')).toEqual([1]);
    expect(await idsOf('/api/v1/sites', 'name:light')).toEqual([3, 1]);
  });

  it('an address in another spelling signs in, is taken, and is invited', async () => {
    const ida = await cloud.make.user({ email: 'ida.info@Bücher.example' });
    const organization = await cloud.make.organization(ida.id);
    const ticket = await cloud.make.ticket(ida.id);
    for (const email of [ida.email, ' IDA.INFO@BÜCHER.EXAMPLE', 'ｉｄａ.info@XN--BCHER-KVA.example']) {
      const body = { email, password: PASSWORD, organization_id: 'none' };
      expect(await idsOf('/api/v1/users', email)).toEqual([ida.id]);
      expect(await idsOf('/api/v1/tickets', email)).toEqual([ticket]);
      expect(await idsOf('/api/v1/tickets', `email:${email.trim()}`)).toEqual([ticket]);
      expect(await cloud.call('POST /api/v1/sign_in', { body })).toMatchObject({
        status: 200,
        body: { user: { id: ida.id, email: 'ida.info@xn--bcher-kva.example' } },
      });
      const form = {
        ...{ ...body, organization_id: organization },
        verification_token: await cloud.make.oneTimeToken('bot_check'),
      };
      expect(await cloud.call('POST /api/v1/register', { body: form })).toMatchObject({
        status: 422,
        body: { errors: { email: ['has already been taken'] } },
      });
      const owner = await cloud.make.user();
      const site = await cloud.make.site({ ownerId: owner.id });
      expect(
        await cloud.call(`POST /api/v1/sites/${site.id}/users`, {
          token: owner.token,
          body: { email, role: 'member', first_name: 'Ida', last_name: 'Info' },
        }),
      ).toMatchObject({ status: 200, body: { id: ida.id } });
    }
  });

  it.each(['JÜRGEN@example.org', 'mıke@example.org', '\u212aim@example.org', 'strauß2@example.org'])(
    'the ambiguous address %s is refused',
    async (email) => {
      const organization = await cloud.make.organization();
      const body = {
        ...{ email, password: PASSWORD, organization_id: organization },
        verification_token: await cloud.make.oneTimeToken('bot_check'),
      };
      expect(await cloud.call('POST /api/v1/register', { body })).toMatchObject({
        status: 422,
        body: { errors: { email: [expect.stringMatching(/^must be written so that/)] } },
      });
    },
  );

  it('names are stored composed', async () => {
    const { id, token } = await cloud.make.user();
    const session = await cloud.make.token(id, { kind: 'session' });
    const renamed = await cloud.call('PATCH /api/v1/user/profile', {
      token: session,
      body: { first_name: 'Bjo\u0308rn', last_name: 'Lo\u0308fgren' },
    });
    expect(renamed).toMatchObject({ status: 200, body: { first_name: 'Björn', last_name: 'Löfgren' } });
    const site = await cloud.make.site({ ownerId: id });
    const invited = await cloud.call(`POST /api/v1/sites/${site.id}/users`, {
      token,
      body: { email: 'composed@example.org', role: 'member', first_name: 'Rene\u0301', last_name: 'X' },
    });
    expect(invited).toMatchObject({ status: 200, body: { first_name: 'René' } });
  });

  const SPELLINGS = [
    ['INCI', 'inci', 'Inci', 'İnci', 'ıncı'],
    ['İstanbul', 'istanbul', 'ISTANBUL', 'İSTANBUL', 'I\u0307stanbul', 'ıst'],
    ['Straße', 'strasse', 'STRASSE', 'STRAẞE', 'straß'],
    ['ŁÓDŹ', 'łódź', 'Łódź', '\u0141o\u0301dz\u0301'],
    ['Ελλάς', 'ΕΛΛΆΣ', 'ελλάς', 'Ελλάσ'],
    ['Mu\u0308ller', 'Müller', 'MÜLLER', 'mü'],
    ['Zoë', 'zoe\u0308', 'ZOË'],
    ['Ｓｏｌｅｉｌ', 'soleil', 'SOLEIL'],
    ['Жёлтый', 'ЖЁЛТЫЙ', 'жёлтый'],
    ['Çiğdem', 'ÇIĞDEM', 'c\u0327iğdem'],
  ];

  it.each(SPELLINGS)('%s is found by every spelling', async (name, ...spellings) => {
    const { id: owner } = await cloud.make.user({ lastName: name });
    const organization = await cloud.make.organization();
    await cloud.db.updateTable('organizations').set({ name }).where('id', '=', organization).execute();
    const site = await cloud.make.site({
      ...{ ownerId: owner, description: `Roof (${name})`, organizationId: organization },
      device: { inverter: `${name}, Hybrid` },
    });
    await cloud.call(`PUT /api/v1/sites/${site.id}/tags`, {
      token: staff.token,
      body: { tags: [`${name}s`, `${spellings[0]}s`] },
    });
    const tags = await rows(`select tags from sites where id = ${site.id}`);
    const ticket = await cloud.make.ticket(owner, { subject: `About ${name}` });
    for (const typed of [name, ...spellings]) {
      expect(await idsOf('/api/v1/users', typed), typed).toEqual([owner]);
      expect(await idsOf('/api/v1/organizations', typed), typed).toEqual([organization]);
      expect(await idsOf('/api/v1/sites', typed), typed).toEqual([site.id]);
      expect(await idsOf('/api/v1/tickets', typed), typed).toEqual([ticket]);
    }
    const whole = foldText(name);
    for (const typed of [name, ...spellings].filter((one) => foldText(one) === whole)) {
      expect(await idsOf('/api/v1/sites', `inverter:${typed}`), typed).toEqual([site.id]);
      expect(await idsOf('/api/v1/sites', `tag:${typed}s`), typed).toEqual([site.id]);
    }
    expect(tags).toMatchObject([{ tags: [expect.any(String)] }]);
  });
});
