import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
const ids: Record<string, number> = {};
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  const addresses = { home: '203.0.113.7', roof: '203.0.113.7', away: '203.0.113.8', six: '2001:db8:1:2::7' };
  for (const [name, publicIp] of Object.entries(addresses)) {
    const device = { uid: `uid-of-${name}`, publicIp, localIp: '192.168.1.9' };
    ids[name] = (await cloud.make.site({ name, ownerId: owner.id, device })).id;
  }
  await cloud.make.site({ name: 'neighbour', device: { publicIp: '203.0.113.7' } });
  await cloud.make.site({ name: 'never-seen', ownerId: owner.id });
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const local = (from: string, query = '') =>
  cloud.call<{ id: number; uid_match: boolean }[]>(`GET /api/v1/sites/local${query}`, {
    token: owner.token,
    from,
  });

describe('GET /sites/local', () => {
  it('the list has only sites visible to the caller', async () => {
    const { status, body } = await local('203.0.113.7', '?q=uid:uid-of-roof');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: ids.home,
        local_ip: '192.168.1.9',
        url: 'https://home.us.example.org',
        last_seen_at: null,
        uid_match: false,
      },
      {
        id: ids.roof,
        local_ip: '192.168.1.9',
        url: 'https://roof.us.example.org',
        last_seen_at: null,
        uid_match: true,
      },
    ]);
  });

  it.each([
    ['203.0.113.8', ['away']],
    ['::ffff:203.0.113.8', ['away']],
    ['203.0.113.9', []],
    ['2001:db8:1:2:ffff::1', ['six']],
    ['2001:db8:1:3::7', []],
    ['::ffff:cb00:7108', ['away']],
    ['fe80::1%eth0', []],
    ['nowhere', []],
  ])('a call from %s lists %j', async (from, names) => {
    const { status, body } = await local(from);
    expect({ status, found: body.map(({ id }) => id) }).toEqual({
      status: 200,
      found: names.map((name) => ids[name]),
    });
    expect(body.every(({ uid_match }) => !uid_match)).toBe(true);
  });
});
