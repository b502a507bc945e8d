import type { TestDatabase } from '@heliograph/dev/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloudDatabase } from '../../../test/test-cloud.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import { emailKey } from './email-key.ts';
import { RateLimits, type RateRule } from './rate-limits.ts';

let database: TestDatabase;
let opened: OpenDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await cloudDatabase();
  opened = openDatabase(database.url, () => undefined);
  pool = opened.pool;
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});

/** An address at which no server listens. */
const unreachable = () => new Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 1_000 });

const refusal = { status: 429 };

let rules = 0;
const ruleOf = (values: Partial<RateRule> = {}): RateRule => ({
  ...{ name: `rule-${++rules}`, points: 3, durationS: 600 },
  ...values,
});

describe.each<[string, Partial<RateRule>, () => Pool]>([
  ['in the database', {}, () => pool],
  ['in a process', { perProcess: true }, () => pool],
  ['in a process while the database is away', {}, unreachable],
])('a limit that is counted %s', (_place, values, poolOf) => {
  let rule: RateRule;
  let limits: RateLimits;
  beforeEach(() => {
    rule = ruleOf(values);
    limits = new RateLimits(poolOf());
  });

  it('a key without a point left is refused, with the seconds until it has one, and no other key or rule is', async () => {
    for (let n = 1; n <= 3; n++) await limits.consume(rule, 'ada');
    const error = await limits.consume(rule, 'ada').catch((caught: unknown) => caught);
    expect(error).toMatchObject(refusal);
    const { retryAfterS } = error as { retryAfterS: number };
    expect(Number.isInteger(retryAfterS) && retryAfterS > 400 && retryAfterS <= 600).toBe(true);
    await limits.consume(rule, 'bob');
    await limits.consume(ruleOf(values), 'ada');
  });

  it('a call may take several points, and one that takes more than are left is refused', async () => {
    await limits.consume(rule, 'ada', 2);
    await expect(limits.consume(rule, 'ada', 2)).rejects.toMatchObject(refusal);
    await limits.consume(rule, 'bob', 3);
    await expect(limits.consume(rule, 'bob')).rejects.toMatchObject(refusal);
  });

  it('calls without a key count together', async () => {
    await limits.consume(rule, null, 3);
    await expect(limits.consume(rule, null)).rejects.toMatchObject(refusal);
  });

  it('a check takes no point, and refuses where none is left', async () => {
    await limits.check(rule, 'ada');
    await limits.consume(rule, 'ada', 2);
    for (let n = 1; n <= 4; n++) await limits.check(rule, 'ada');
    await limits.consume(rule, 'ada');
    const error = await limits.check(rule, 'ada').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ ...refusal, retryAfterS: expect.any(Number) });
    await limits.check(rule, 'bob');
  });

  it('a point is given back, and all of them are after a reset', async () => {
    expect(await limits.tryConsume(rule, 'ada')).toBe(true);
    await limits.consume(rule, 'ada', 2);
    expect(await limits.tryConsume(rule, 'ada')).toBe(false);
    await limits.reset(rule, 'bob');
    expect(await limits.tryConsume(rule, 'ada')).toBe(false);
    await limits.reset(rule, 'ada');
    await limits.consume(rule, 'ada', 3);
    await limits.reward(rule, 'ada');
    expect(await limits.tryConsume(rule, 'ada')).toBe(true);
    expect(await limits.tryConsume(rule, 'ada')).toBe(false);
  });
});

it('processes count together in the database, and by themselves where a rule has it so', async () => {
  const [one, other] = [new RateLimits(pool), new RateLimits(pool)];
  const [shared, own] = [ruleOf(), ruleOf({ perProcess: true })];
  for (const rule of [shared, own]) await one.consume(rule, 'ada', 3);
  await expect(other.consume(shared, 'ada')).rejects.toMatchObject(refusal);
  await other.consume(own, 'ada', 3);
});

it('a key has all its points again when its time is over', async () => {
  const limits = new RateLimits(pool);
  const [rule, other] = [ruleOf(), ruleOf()];
  for (const one of [rule, other]) await limits.consume(one, 'ada', 3);
  await pool.query('update rate_limits set expire = expire - 600000 where key like $1', [`${rule.name}:%`]);
  await limits.check(rule, 'ada');
  await limits.consume(rule, 'ada', 3);
  for (const one of [rule, other]) await expect(limits.consume(one, 'ada')).rejects.toMatchObject(refusal);
});

it('a refused call is to wait a second at least', async () => {
  const limits = new RateLimits(pool);
  const rule = ruleOf();
  await limits.consume(rule, 'ada', 3);
  await pool.query('update rate_limits set expire = $1 where key like $2', [
    Date.now() + 600,
    `${rule.name}:%`,
  ]);
  await expect(limits.consume(rule, 'ada')).rejects.toMatchObject({ ...refusal, retryAfterS: 1 });
});

it('a stored key discloses no email address', async () => {
  const rule = ruleOf();
  await new RateLimits(pool).consume(rule, 'ada@example.org');
  const { rows } = await pool.query('select key from rate_limits where key like $1', [`${rule.name}:%`]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('ada');
});

it.each([' Ada@Example.org ', 'ADA@EXAMPLE.ORG', 'ＡＤＡ@example.org', 'ada@example.org.'])(
  'the address %j counts with all its spellings',
  (spelling) => {
    expect(emailKey(spelling)).toBe('ada@example.org');
  },
);

it.each(['vıctim@example.org', 'vİctim@example.org', 'vi\u0307ctim@example.org', 'vic\u212atim@example.org'])(
  'the ambiguous address %j counts apart from those it could be taken for',
  (spelling) => {
    expect(emailKey(spelling)).toBe(emailKey(` ${spelling} `));
    expect(['victim@example.org', 'vicktim@example.org'].map(emailKey)).not.toContain(emailKey(spelling));
  },
);

it('an address with capitals beyond ASCII counts with the account that it leads to', () => {
  expect(emailKey('Élodie@example.org')).toBe(emailKey('élodie@example.org'));
});
