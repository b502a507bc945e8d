import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let user: TestUser;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await cloud.make.user();
});

const place = () => `203.0.113.${++count}`;
const signIn = (from: string, password = PASSWORD, email = user.email) =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: 'none' }, from });
const attempt = (from: string, email?: string) => signIn(from, 'Wrong-horse-7', email);

/** More calls at once than a limit allows, and few enough for a slow machine to answer all of them. */
const CONCURRENT = 20;

/** The statuses of calls that are made concurrently. */
async function times(calls: number, call: (n: number) => ReturnType<typeof signIn>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < calls) {
    const batch = Array.from({ length: Math.min(CONCURRENT, calls - statuses.length) }, (_, i) =>
      call(statuses.length + i),
    );
    statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
  }
  return statuses;
}

describe('AttemptLimits', () => {
  it('ten wrong passwords of one account from one network are followed by 429 with Retry-After', async () => {
    const from = place();
    for (let n = 0; n < 10; n++) expect((await attempt(from)).status).toBe(401);
    const refused = await signIn(from);
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(place())).status).toBe(200);
  });

  it('concurrent attempts all count', async () => {
    const from = place();
    const statuses = await times(30, () => attempt(from));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('an email address in another case counts for the same account', async () => {
    const from = place();
    // All of these lead to one account.
    const email = (n: number) => [...'iiii'].map((i, bit) => ((n >> bit) & 1 ? 'I' : i)).join('');
    user = await cloud.make.user({ email: `${email(0)}-${count}@example.org` });
    for (let n = 1; n <= 10; n++) await attempt(from, `${email(n)}-${count}@example.org`);
    expect((await signIn(from)).status).toBe(429);
  });

  it('an unknown email address has the same limit as an account', async () => {
    const [from, email] = [place(), `nobody-${count}@example.org`];
    for (let n = 0; n < 10; n++) expect((await attempt(from, email)).status).toBe(401);
    expect((await attempt(from, email)).status).toBe(429);
    expect((await attempt(from, email.toUpperCase())).status).toBe(429);
  });

  it('attempts from many networks are limited, and never lock the owner out of a known network', async () => {
    const home = place();
    await signIn(home);
    const statuses = await times(40, (n) => attempt(`198.51.100.${n}`));
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect((await signIn(place())).status).toBe(429);
    expect((await signIn(home)).status).toBe(200);
  });

  it('attempts from one network on many accounts are limited, except for accounts that signed in there before', async () => {
    const from = place();
    await signIn(from);
    const statuses = await times(60, (n) => attempt(from, `guess-${n}@example.org`));
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const other = await cloud.make.user();
    expect((await signIn(from, PASSWORD, other.email)).status).toBe(429);
    expect((await signIn(from)).status).toBe(200);
  });

  it('an IPv6 /64 counts as one network', async () => {
    const statuses: number[] = [];
    for (let n = 1; n <= 11; n++) statuses.push((await attempt(`2001:db8:${count}::${n}`)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await attempt(`2001:db8:${count}:1::1`)).status).toBe(401);
  });

  it('a password reset from a network clears its failed attempts', async () => {
    const from = place();
    for (let n = 0; n < 11; n++) await attempt(from);
    const token = await cloud.make.oneTimeToken('reset', { userId: user.id });
    const password = 'Another-horse-7';
    await cloud.call(`PUT /api/v1/password/reset/${token}`, {
      body: { password, organization_id: 'none' },
      from,
    });
    expect((await signIn(from, password)).status).toBe(200);
  });
});

it('right passwords are never limited', async () => {
  const from = place();
  for (let n = 0; n < 11; n++) {
    expect((await attempt(from)).status).toBe(401);
    expect((await signIn(from)).status).toBe(200);
  }
});

it('a client with an unreadable address can sign in', async () => {
  expect((await signIn('unknown')).status).toBe(200);
});
