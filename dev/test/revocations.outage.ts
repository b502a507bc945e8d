import { once } from 'node:events';
import { createCloudClient } from '@heliograph/client';
import { Factory, openDatabase } from '@heliograph/cloud/testing';
import type { SiteAuthorization } from '@heliograph/contracts';
import { systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';
import { describeDelegations } from './delegations.ts';
import { LongRunningClient, type Via } from './long-running-client.ts';
import { bash, hasShell } from './shell.ts';

/** Patience: the device receives revocations within ten seconds, and a loaded machine takes longer. */
const PATIENCE = { timeout: 60_000, interval: 100 };
const TIMEOUT_MS = 180_000;

let system: TestSystem;
let make: Factory;
let ownerId: number;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  system = await startTestSystem();
  undo.defer(() => system.stop());
  const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
  undo.defer(() => close());
  make = new Factory(db, systemClock);
  const owner = db.selectFrom('users').select('id').where('email', '=', system.run.account.email);
  ownerId = (await owner.executeTakeFirstOrThrow()).id;
});
afterAll(() => undo.disposeAsync());

const authorize = (token: string): Promise<SiteAuthorization> =>
  createCloudClient({ url: system.run.cloud.url, token }).authorizeSite({ id: system.run.site.id });

const call = async (method: string, path: string, token = system.run.account.api_token) => {
  const { status } = await fetch(system.run.cloud.url + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  return status;
};

function endpointOf(via: Via, { host, token, site_id, site_key }: SiteAuthorization) {
  return {
    url: via === 'proxy' ? `http://${host}` : system.run.device.url,
    headers: { authorization: `Bearer ${token}`, 'site-id': `${site_id}`, 'site-key': site_key },
  };
}

const read = (via: Via, credentials: SiteAuthorization) => {
  const { url, headers } = endpointOf(via, credentials);
  return fetch(`${url}/api/v1/metrics?topic=total/*`, { headers });
};
/** At the proxy, and on the network of the home. */
const statuses = async (credentials: SiteAuthorization) =>
  Promise.all([read('proxy', credentials), read('lan', credentials)]).then((answers) =>
    answers.map(({ status }) => status),
  );

/** An open stream that has brought values. @returns settles with the code that it is closed with */
async function openStream(via: Via, credentials: SiteAuthorization): Promise<{ closed: Promise<number> }> {
  const { url, headers } = endpointOf(via, credentials);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`, { headers });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  socket.send('["1","1","metrics","phx_join",{"topics":[{"topic":"total/*"}]}]');
  await once(socket, 'message');
  return { closed };
}

/** A consent of the owner to a third party, and the access token from it. */
async function consent(): Promise<{ id: string; token: string }> {
  const organizationId = await make.organization();
  const siteId = system.run.site.id;
  const clientId = await make.application(organizationId);
  const id = await make.grant(ownerId, { clientId, organizationId, siteId });
  const token = await make.token(ownerId, {
    kind: 'oauth',
    scopes: ['openid', 'sites:read_single'],
    siteId,
    applicationOrganizationId: organizationId,
    grantId: id,
    expiresAt: new Date(Date.now() + 60 * 60_000),
  });
  return { id, token };
}

/** An admin of the site, with a site token. */
async function admin() {
  const user = await make.user();
  await make.member(system.run.site.id, user.id, 'admin');
  return { ...user, credentials: await authorize(user.token) };
}

const remove = (userId: number) => call('DELETE', `/api/v1/sites/${system.run.site.id}/users/${userId}`);

/** The id of a token, as its site tokens name it. */
function tokenIdOf({ token }: SiteAuthorization): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return String(claims.src).replace('token:', '');
}

describe('removing an admin', { timeout: TIMEOUT_MS }, () => {
  it('a removed admin is refused on the LAN while the device is connected, and after it restarts without the cloud', async () => {
    const { id, credentials } = await admin();
    expect(await statuses(credentials)).toEqual([200, 200]);
    expect(await remove(id)).toBe(204);
    await expect.poll(() => statuses(credentials), PATIENCE).toEqual([401, 401]);
    const error = 'The site token was revoked: authorize again';
    expect(await (await read('proxy', credentials)).json()).toEqual({ error });
    expect(await (await read('lan', credentials)).json()).toEqual({ error });

    system.parts.cloud.kill('SIGSTOP');
    try {
      const { device } = system.parts;
      const { pid } = device;
      device.kill('SIGKILL');
      await expect.poll(() => device.pid).not.toBe(pid);
      await device.ready();
      expect((await read('lan', credentials)).status).toBe(401);
    } finally {
      system.parts.cloud.kill('SIGCONT');
    }
  });

  it('a removed admin loses the open streams, on the LAN and through the proxy', async () => {
    const { id, credentials } = await admin();
    await expect.poll(() => statuses(credentials), PATIENCE).toEqual([200, 200]);
    const streams = [await openStream('proxy', credentials), await openStream('lan', credentials)];
    expect(await remove(id)).toBe(204);
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([expect.any(Number), 1008]);
  });
});

describe('moving a site', { timeout: TIMEOUT_MS }, () => {
  it('an employee of the former organization loses the open streams and the values, and the owner goes on', async () => {
    const { site, organization, account, cloud } = system.run;
    const employee = await authorize((await make.employee(organization.id)).token);
    const owner = await authorize(account.api_token);
    await expect.poll(() => statuses(employee), PATIENCE).toEqual([200, 200]);
    const streams = [await openStream('proxy', employee), await openStream('lan', employee)];
    const client = createCloudClient({ url: cloud.url, token: account.api_token });
    await client.moveSite({ id: site.id, organization_id: null });
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([expect.any(Number), 1008]);
    expect(await statuses(employee)).toEqual([401, 401]);
    expect(await statuses(owner)).toEqual([200, 200]);
    await client.moveSite({ id: site.id, organization_id: organization.id });
  });
});

describe('revoking', { timeout: TIMEOUT_MS }, () => {
  it("a revoked application loses its site tokens, and the owner's own command line continues", async () => {
    const commandLine = await authorize(system.run.account.api_token);
    const { id, token } = await consent();
    const application = await authorize(token);
    await expect.poll(() => statuses(application), PATIENCE).toEqual([200, 200]);
    expect(await call('DELETE', `/api/v1/user/connections/${id}`)).toBe(204);
    await expect.poll(() => statuses(application), PATIENCE).toEqual([401, 401]);
    expect(await statuses(commandLine)).toEqual([200, 200]);
  });

  it('a revoked API token ends the site tokens made with it, and no others', async () => {
    const session = await make.token(ownerId, { kind: 'session' });
    const [revoked, other] = [
      await authorize(await make.token(ownerId)),
      await authorize(await make.token(ownerId)),
    ];
    expect(await call('DELETE', `/api/v1/user/tokens/${tokenIdOf(revoked)}`, session)).toBe(204);
    await expect.poll(() => statuses(revoked), PATIENCE).toEqual([401, 401]);
    expect(await statuses(other)).toEqual([200, 200]);
    expect(await statuses(await authorize(session))).toEqual([200, 200]);
  });
});

it(
  'a client that never authorizes again is served through revocations, rotations and restarts of others',
  async () => {
    const session = () => make.token(ownerId, { kind: 'session' });
    const token = await make.token(ownerId);
    await using client = new LongRunningClient(await authorize(token), system.run.device.url);
    /** Waits until reads and streams continue at both addresses. */
    const untilServed = async () => {
      const { proxy, lan } = client.served;
      const isServed = () => {
        const now = client.served;
        return [
          now.proxy.reads > proxy.reads,
          now.proxy.frames > proxy.frames,
          now.lan.reads > lan.reads,
          now.lan.frames > lan.frames,
        ];
      };
      await expect.poll(isServed, PATIENCE).toEqual([true, true, true, true]);
    };
    await untilServed();

    const other = await session();
    const ended = await authorize(other);
    expect(await call('DELETE', '/api/v1/session', other)).toBe(204);
    const application = await consent();
    await authorize(application.token);
    expect(await call('DELETE', `/api/v1/user/connections/${application.id}`)).toBe(204);
    const another = await authorize(await make.token(ownerId));
    expect(await call('DELETE', `/api/v1/user/tokens/${tokenIdOf(another)}`, await session())).toBe(204);
    const member = await admin();
    expect(await remove(member.id)).toBe(204);
    if (hasShell()) await bash('heliograph admin keys rotate sites', system.dataFolder);
    for (const credentials of [ended, another, member.credentials]) {
      await expect.poll(() => statuses(credentials), PATIENCE).toEqual([401, 401]);
    }
    await untilServed();

    system.parts.proxy.kill('SIGKILL');
    await untilServed();
    system.parts.device.kill('SIGKILL');
    await untilServed();
    for (const via of ['proxy', 'lan'] as const) {
      const { statuses, refusals } = client.outcomes[via];
      expect([...statuses, ...refusals].filter((status) => status === 401 || status === 403)).toEqual([]);
    }
  },
  2 * TIMEOUT_MS,
);

describe('delegated writing', () =>
  describeDelegations(
    () => system,
    () => make,
  ));
