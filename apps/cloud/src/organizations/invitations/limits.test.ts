import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { INVITATIONS_PER_ADDRESS } from './limits.ts';

let cloud: TestCloud;
let owner: TestUser;
let site: number;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  owner = await cloud.make.user();
  site = (await cloud.make.site({ ownerId: owner.id })).id;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;
let count = 0;
const newcomer = () => ({
  email: `newcomer-${++count}@example.org`,
  role: 'member',
  first_name: 'Grace',
  last_name: 'Hopper',
});
const invite = (body: object, { token, id }: { token?: string; id?: number } = {}) =>
  cloud.call(`POST /api/v1/sites/${id ?? site}/users`, { token: token ?? owner.token, body });

/** Invites as the owner of another site. */
async function inviteFromElsewhere(body: object) {
  const other = await cloud.make.user();
  const { id } = await cloud.make.site({ ownerId: other.id });
  return invite(body, { token: other.token, id });
}

describe('repeated invitations of a new account', () => {
  it('a repeated invitation is mailed again, but not within minutes', async () => {
    const body = newcomer();
    await invite(body);
    const first = await cloud.mail(body.email);
    cloud.clock.advance(4 * MINUTE_MS);
    expect((await invite(body)).status).toBe(200);
    cloud.clock.advance(MINUTE_MS);
    expect((await invite(body)).status).toBe(200);
    const second = await cloud.mail(body.email);
    expect(second.token).not.toBe(first.token);
    expect(await cloud.mails(body.email)).toHaveLength(2);
  });

  it('invitations of one person beyond the limit answer 429', async () => {
    const body = newcomer();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      cloud.clock.advance(10 * MINUTE_MS);
      statuses.push((await invite(body)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const { headers } = await invite({ ...body, email: body.email.toUpperCase() });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it("one caller's exhausted limit does not affect other callers", async () => {
    const body = newcomer();
    for (let i = 0; i < 6; i++) await invite(body);
    expect((await inviteFromElsewhere(body)).status).toBe(200);
  });

  it('invitations from many callers beyond the limit of mails give a role without a mail', async () => {
    const body = newcomer();
    for (let i = 0; i < 12; i++) {
      cloud.clock.advance(10 * MINUTE_MS);
      expect((await inviteFromElsewhere(body)).status).toBe(200);
    }
    await expect.poll(() => cloud.mails(body.email)).toHaveLength(10);
  });
});

it('a caller of many invitations is limited, and can still change roles', async () => {
  const known = await cloud.make.user();
  await cloud.make.member(site, known.id, 'member');
  await invite(newcomer());
  await cloud.multiplyCounts(59);
  const statuses = [newcomer(), newcomer()].map((body) => invite(body));
  expect((await Promise.all(statuses)).map(({ status }) => status).toSorted()).toEqual([200, 429]);
  expect((await invite({ email: known.email, role: 'admin' })).status).toBe(200);
});

it('invitations of callers without the permission do not count', async () => {
  const [stranger, body] = [await cloud.make.user(), newcomer()];
  expect((await invite(body, { token: stranger.token })).status).toBe(404);
  await cloud.multiplyCounts(INVITATIONS_PER_ADDRESS.points);
  expect((await invite(body, { token: stranger.token })).status).toBe(404);
  expect((await invite(body)).status).toBe(200);
  await cloud.mail(body.email);
});
