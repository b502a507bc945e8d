import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { hashOfNoPassword, PasswordHashing } from './password-hashing.ts';

describe('PasswordHashing', () => {
  const hashing = new PasswordHashing();

  it('a password is hashed by Argon2id at the cost that OWASP recommends', async () => {
    expect(await hashing.hash(PASSWORD)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('a password matches its own hash alone', async () => {
    const stored = await hashing.hash(PASSWORD);
    expect(await hashing.matches(stored, PASSWORD)).toBe(true);
    expect(await hashing.matches(stored, `${PASSWORD}!`)).toBe(false);
    expect(await hashing.matches(null, '')).toBe(false);
  });

  it('a missing account has a hash of the same form and costs, so that verifying takes as long', async () => {
    const cost = { memoryCost: 64, timeCost: 3, parallelism: 2 };
    const form = (text: string) =>
      text.replaceAll(/[A-Za-z0-9+/]{22,}/g, ({ length }) => `${length} characters`);
    const real = await new PasswordHashing(cost).hash(PASSWORD);
    expect(form(real)).toBe('$argon2id$v=19$m=64,t=3,p=2$22 characters$43 characters');
    expect(form(hashOfNoPassword(cost))).toBe(form(real));
    expect(hashOfNoPassword(cost)).not.toBe(hashOfNoPassword(cost));
  });

  it.each([
    { memoryCost: 8, timeCost: 2, parallelism: 1 },
    { memoryCost: 19_456, timeCost: 1, parallelism: 1 },
    { memoryCost: 19_456, timeCost: 2, parallelism: 2 },
  ])(
    'a hash of another cost is outdated: $memoryCost KiB, $timeCost passes, $parallelism lanes',
    async (cost) => {
      expect(hashing.isOutdated(await new PasswordHashing(cost).hash(PASSWORD))).toBe(true);
      expect(hashing.isOutdated(await hashing.hash(PASSWORD))).toBe(false);
    },
  );
});

describe('signing in', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await startTestCloud({}, undefined, {
      hashCost: { memoryCost: 16, timeCost: 1, parallelism: 1 },
    });
  });
  afterAll(() => cloud?.[Symbol.asyncDispose]());

  it('signing in with the password replaces a hash of another cost', async () => {
    const { id, email } = await cloud.make.user();
    const stored = async () => {
      const row = cloud.db.selectFrom('users').select('password_hash as hash').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).hash;
    };
    expect(await stored()).toContain('$m=8,t=1,p=1$');
    const body = { email, password: PASSWORD, organization_id: 'none' };
    expect((await cloud.call('POST /api/v1/sign_in', { body })).status).toBe(200);
    expect(await stored()).toContain('$m=16,t=1,p=1$');
    expect((await cloud.call('POST /api/v1/sign_in', { body })).status).toBe(200);
  });
});
