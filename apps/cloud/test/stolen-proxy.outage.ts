import { createTestDatabase, type TestDatabase } from '@heliograph/dev/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CloudProcess } from './cloud-process.ts';
import { Operator } from './operator/admin/operator.ts';
import { ProxyProcess, type SiteCredentials } from './proxy-process.ts';

const STOLEN = 'eu-2';

let database: TestDatabase;
let cloud: CloudProcess;
let operator: Operator;
beforeAll(async () => {
  database = await createTestDatabase();
  cloud = await CloudProcess.start(database.url);
  operator = new Operator(database.url);
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await database?.drop();
});

it('an operator recovers from a stolen proxy: no device is sent to it, its announcements are refused, and its site tokens end', async () => {
  const owner = await cloud.make.user();
  const token = await cloud.make.token(owner.id, { kind: 'session' });
  const site = await cloud.make.site({ ownerId: owner.id });
  const sessions = [{ uid: site.uid, site_id: site.id }];
  const announce = () => cloud.announce(STOLEN, { region: 'eu', sessions });
  const authorize = async (): Promise<SiteCredentials & { readonly host: unknown }> => {
    const { body } = await cloud.call(`POST /api/v1/sites/${site.id}/authorize`, { token });
    return { siteId: site.id, siteKey: String(body.site_key), token: String(body.token), host: body.host };
  };
  expect((await announce()).status).toBe(200);
  const captured = await authorize();
  expect(captured.host).toBe(`${STOLEN}.example.org`);
  await using other = await ProxyProcess.start(cloud);
  // The token is good everywhere that the thief can reach: at any other proxy, too.
  expect(await other.statusFor(captured)).toBe(503);

  await operator.runForJson(`proxies remove ${STOLEN}`);
  expect((await announce()).status).toBe(401);
  await expect.poll(async () => (await authorize()).host).not.toBe(captured.host);
  // That alone does not end what the thief has seen.
  expect(await other.statusFor(captured)).toBe(503);

  const keys = await operator.runForJson<{ kid: string; purpose: string; state: string }[]>('keys list');
  const signed = keys.filter(({ purpose, state }) => purpose === 'sites' && state !== 'next');
  for (const { kid } of signed) await operator.runForJson(`keys revoke ${kid}`);
  await expect.poll(() => other.statusFor(captured), { interval: 250 }).toBe(401);
  await expect.poll(async () => other.statusFor(await authorize())).toBe(503);
});
