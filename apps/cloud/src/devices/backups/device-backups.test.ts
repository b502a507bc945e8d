import { createHash } from 'node:crypto';
import { signDeviceProof } from '@heliograph/wire';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let device: TestDevice;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user();
  device = await newDevice();
  await connect(cloud, device);
  const body = { uid: device.uid };
  siteId = Number((await cloud.call('POST /api/v1/sites/register', { token: owner.token, body })).body.id);
});

const TOKEN = 'the-token-of-a-recovery-code';

const backup = (content: string): Buffer => Buffer.from(`HGBACKUP${content}`);

async function send(
  method: 'PUT' | 'DELETE',
  { bytes, by = device, token = TOKEN }: { bytes?: Buffer; by?: TestDevice; token?: string } = {},
): Promise<number> {
  const hash = createHash('sha256').update(token).digest('hex');
  const query = new URLSearchParams({ uid: device.uid, ...(method === 'PUT' && { fetch_hash: hash }) });
  const { status } = await fetch(`${cloud.url}/api/v1/devices/backups?${query}`, {
    method,
    headers: {
      authorization: `Bearer ${await signDeviceProof(by.key, device.uid, cloud.url, cloud.clock.now())}`,
      ...(bytes && { 'content-type': 'application/octet-stream' }),
    },
    ...(bytes && { body: new Uint8Array(bytes) }),
  });
  return status;
}

async function fetched(token = TOKEN): Promise<[number, string]> {
  const answer = await fetch(`${cloud.url}/api/v1/devices/backups/newest`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return [answer.status, await answer.text()];
}

const listed = async (token = owner.token) =>
  cloud.call<{ size: number }[]>(`GET /api/v1/sites/${siteId}/backups`, { token });

it('the newest three backups of a device stay, and the token of its recovery code fetches the newest', async () => {
  for (const content of ['1', '22', '333', '4444']) {
    expect(await send('PUT', { bytes: backup(content) })).toBe(204);
  }
  expect((await listed()).body.map(({ size }) => size)).toEqual([12, 11, 10]);
  expect(await fetched()).toEqual([200, 'HGBACKUP4444']);
  expect((await fetched('another-token'))[0]).toBe(404);
  expect(await send('DELETE')).toBe(204);
  expect((await fetched())[0]).toBe(404);
});

it('another key stores and deletes nothing, and bytes that are not encrypted are refused', async () => {
  const other = await newDevice();
  await connect(cloud, other);
  expect(await send('PUT', { bytes: backup('1') })).toBe(204);
  expect(await send('PUT', { bytes: backup('2'), by: other })).toBe(401);
  expect(await send('DELETE', { by: other })).toBe(401);
  expect(await send('PUT', { bytes: Buffer.from('SQLite format 3') })).toBe(422);
  expect(await send('PUT', { bytes: Buffer.concat([backup(''), Buffer.alloc(16 * 1024 * 1024)]) })).toBe(413);
  expect((await listed()).body).toHaveLength(1);
  expect((await listed((await cloud.make.user()).token)).status).toBe(404);
});

it('backups of a revoked device are not fetched, and they go with the site', async () => {
  const token = `token-of-${device.uid}`;
  expect(await send('PUT', { bytes: backup('1'), token })).toBe(204);
  const operator = await cloud.make.user({ staff: true });
  await cloud.call(`POST /api/v1/devices/${device.uid}/revoke`, { token: operator.token });
  expect((await fetched(token))[0]).toBe(404);
  expect(await send('PUT', { bytes: backup('2') })).toBe(403);
  await cloud.call(`POST /api/v1/devices/${device.uid}/restore`, { token: operator.token });
  expect((await fetched(token))[0]).toBe(200);
  await cloud.call(`DELETE /api/v1/sites/${siteId}`, { token: owner.token });
  expect((await fetched(token))[0]).toBe(404);
});
