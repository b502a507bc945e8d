import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let operator: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  operator = await cloud.make.user({ staff: true, firstName: 'Olga', email: 'root@heliograph.test' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const find = async (q: string, token = operator.token, page = 'limit=200'): Promise<number[]> => {
  const answer = await cloud.call<{ id: number }[]>(`GET /api/v1/users?${page}&q=${encodeURIComponent(q)}`, {
    token,
  });
  expect(answer.status).toBe(200);
  return answer.body.map(({ id }) => id);
};

describe('GET /users?q=', () => {
  let zoe: TestUser;
  beforeAll(async () => {
    zoe = await cloud.make.user({
      email: 'Zoe.Quinn+solar@Mail-Host.example',
      firstName: 'Zoë-Marie',
      lastName: "O'Quinn Łódź",
      phoneNumber: '+49 (170) 123-4567',
    });
  });

  it.each([
    'zoë',
    'ZOË',
    'zo',
    'marie',
    'Zoë-Marie',
    "o'quinn",
    "O'Qui",
    'łód',
    'quinn zoë',
    'marie  solar',
    'zoe.quinn+solar@mail-host.example',
    'zoe.qui',
    'mail-host',
    '@mail',
    '170',
    '+49 170',
    '+49 (170) 123-4567',
    '491701234567',
    '+4917012',
    'zoë zoë zoë',
  ])('the query %s finds the account', async (q) => {
    expect(await find(q)).toEqual([zoe.id]);
  });

  it('an id finds its account', async () => {
    expect(await find(String(zoe.id))).toContain(zoe.id);
    expect(await find(`${zoe.id} zoë`)).toEqual([zoe.id]);
  });

  it.each([
    'zoe marie nobody',
    'oë',
    'arie',
    'zoë -',
    '---',
    '%',
    '_',
    '*',
    "'",
    '\\',
    ':*',
    "' | 'zoë",
    '!zoë & |',
    '😀',
    `zoë ${'x'.repeat(900)}`,
  ])('the query %.30s finds no account', async (q) => {
    expect(await find(q)).toEqual([]);
  });

  it.each(['', '   ', '\t\n'])('the blank query %j lists all accounts', async (q) => {
    expect(await find(q)).toEqual(expect.arrayContaining([zoe.id, operator.id]));
  });

  it('terms beyond the sixteenth are ignored', async () => {
    const terms = Array.from({ length: 16 }, (_, i) => 'zoë-marie'.slice(0, 1 + (i % 3)));
    expect(
      await find(`${terms.join(' ')} ${'m ma mar mari marie q qu qui quin quinn s so sol sola nobody'}`),
    ).toEqual([zoe.id]);
  });

  it('any text is a valid query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (q) => {
        const answer = await cloud.call(`GET /api/v1/users?q=${encodeURIComponent(q)}`, {
          token: operator.token,
        });
        expect(answer.status).toBe(q.includes('\0') ? 400 : 200);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

describe('search among thousands of accounts', () => {
  const COUNT = 6_000;
  let employee: TestUser;
  let organizationId: number;
  const accounts: { id: number; terms: string[]; inOrganization: boolean }[] = [];
  beforeAll(async () => {
    organizationId = await cloud.make.organization();
    employee = await cloud.make.employee(organizationId);
    // Terms of all accounts, of one in fifty and one in a thousand, of old accounts, of new ones, of a single one.
    await sql`insert into users (email, first_name, last_name, organization_id)
      select 'p' || i || '@crowd.test', case when i % 50 = 0 then 'Fifty' else 'Many' end || case when i % 2 = 0 then ' Even' else '' end,
        case when i % 1000 = 7 then 'Thousand' when i < 2000 then 'Old' when i > 5900 then 'New' else 'Middle' end,
        case when i % 4 <> 0 then ${organizationId}::integer end
      from generate_series(1, ${COUNT}::integer) as i`.execute(cloud.db);
    const rows = await cloud.db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name', 'organization_id'])
      .where('email', 'like', '%@crowd.test')
      .orderBy('id', 'desc')
      .execute();
    for (const row of rows) {
      const text = `${row.id} ${row.email} ${row.first_name} ${row.last_name}`.toLowerCase();
      accounts.push({
        id: row.id,
        terms: text.split(/[ .@]/),
        inOrganization: row.organization_id === organizationId,
      });
    }
  });

  const QUERIES = [
    'many',
    'fifty',
    'thousand',
    'old',
    'new',
    'p4321',
    'p43',
    'p4321@crowd.test',
    'crowd fifty',
    'even thousand',
    'old fifty',
    'old new',
    'even many crowd',
    'fifty middle test crowd',
  ];
  const PAGES = [
    [20, 0],
    [3, 0],
    [200, 10],
    [7, 63],
    [5, 3000],
  ] as const;

  it.each(QUERIES)('the query %s finds the same accounts as a full scan', async (q) => {
    const wanted = q.split(/[ .@]/);
    const matching = accounts.filter(({ terms }) =>
      wanted.every((part) => terms.some((word) => word.startsWith(part))),
    );
    for (const [limit, offset] of PAGES) {
      const ids = (found: typeof accounts) => found.slice(offset, offset + limit).map(({ id }) => id);
      const page = `limit=${limit}&offset=${offset}`;
      expect(await find(q, operator.token, page)).toEqual(ids(matching));
      const own = matching.filter(({ inOrganization }) => inOrganization);
      expect(await find(q, employee.token, page)).toEqual(ids(own));
    }
  });
});
