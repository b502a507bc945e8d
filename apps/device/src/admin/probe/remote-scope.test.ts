import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ProbeBody, ProbeReport, ProbeStarted } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestDevice, type TestDevice, temporaryStore } from '../../../test/serve/api/test-device.ts';
import { testPages } from '../../../test/serve/api/test-pages.ts';
import { startTestTunnel, type TestTunnel } from '../../../test/serve/api/test-tunnel.ts';
import { Audit } from '../../access/audit/audit.ts';
import { parseBusAddress } from '../../bus/address.ts';
import { Probes } from './probes.ts';
import { loadRemoteScope, remoteRefusal } from './remote-scope.ts';

const ON_LAN = { name: 'local', via: 'lan', address: '192.168.1.2' } as const;
const PATH = '/api/v1/probe';
const NO_ANSWER = 'no inverter and no battery answered';

/** The machine of the test stands for the whole network of a home. */
const HERE = { hasPort: () => false, hasHost: (host: string) => host === '127.0.0.1' };

let cloud: TestCloud;
let device: TestDevice;
let tunnel: TestTunnel;
let records: ReturnType<typeof temporaryStore>;
let audit: Audit;
let headers: Readonly<Record<string, string>>;
let fixedTime: PromiseWithResolvers<void>;
beforeAll(async () => {
  cloud = await startTestCloud();
  records = temporaryStore();
  audit = new Audit({ log: records.auditLog, clock: systemClock, logger: silentLogger });
  const probes = new Probes({
    used: [],
    audit,
    clock: systemClock,
    reachable: async () => HERE,
    fixedTime: (signal) => {
      signal.addEventListener('abort', () => fixedTime.resolve());
      return fixedTime.promise;
    },
  });
  const pages = testPages(cloud.url, { probes });
  device = await startTestDevice({ cloudUrl: cloud.url, pages });
  device.access.site.set(SITE_ID);
  tunnel = await startTestTunnel(device.api.tunnel);
  headers = {
    authorization: `Bearer ${await cloud.siteToken({ mayConfigure: true })}`,
    'site-id': String(SITE_ID),
    'site-key': cloud.siteKey,
  };
});
afterAll(async () => {
  tunnel.stop();
  await device.stop();
  await cloud.stop();
  records.remove();
});

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A program on the network of the home that is no inverter. */
async function listening(accept: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    accept(socket);
  });
  servers.push(server);
  await once(inPieces(server).listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

async function freePort(): Promise<number> {
  const { port, server } = await listening(() => undefined);
  server.close();
  await once(server, 'close');
  return port;
}

const send = async (method: string, path: string, body?: object) => {
  const answer = await fetch(tunnel.url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json().catch(() => undefined) };
};
const start = async (probe: ProbeBody): Promise<string> => {
  fixedTime = Promise.withResolvers();
  const { status, body } = await send('POST', PATH, probe);
  expect(status).toBe(202);
  return (body as ProbeStarted).id;
};
const report = async (id: string) => (await send('GET', `${PATH}/${id}`)).body as ProbeReport;
const finished = async (id: string): Promise<ProbeReport> => {
  await expect.poll(async () => (await report(id)).state, { interval: 20 }).not.toBe('running');
  return report(id);
};

describe('a probe through the proxy', () => {
  const programs: [string, () => Promise<number>][] = [
    ['refuses the connection', freePort],
    ['says nothing', async () => (await listening(() => undefined)).port],
    ['hangs up', async () => (await listening((socket) => socket.destroy())).port],
    ['speaks another protocol', async () => (await listening((socket) => socket.end('SSH-2.0-x\r\n'))).port],
  ];

  it.each(programs)(
    'the report is the same for a host that %s',
    async (_what, portOf) => {
      const bus = `modbus-tcp://127.0.0.1:${await portOf()}`;
      const id = await start({ bus, driver: 'sunspec' });
      const direct = new Probes({ used: [], clock: systemClock, audit });
      const own = await direct.start({ bus, driver: 'sunspec' }, ON_LAN);
      // A probe from the LAN ends earlier or later, with a reason; the other one goes on until its time is over.
      await expect.poll(() => direct.report(own, ON_LAN)?.state, { timeout: 30_000 }).toBe('done');
      expect(direct.report(own, ON_LAN)?.notes).not.toEqual([`${bus}: ${NO_ANSWER}`]);
      const { progress } = await report(id);
      expect(await report(id)).toMatchObject({
        state: 'running',
        notes: [],
        progress: { tried: 0, now: null },
      });
      expect((await send('POST', PATH, { bus })).status).toBe(409);
      fixedTime.resolve();
      expect(await finished(id)).toEqual({
        id,
        state: 'done',
        error: null,
        progress: { tried: progress.of, of: progress.of, now: null },
        findings: [],
        notes: [`${bus}: ${NO_ANSWER}`],
        skipped: [],
      });
    },
    60_000,
  );

  it('found hardware is reported at once', async () => {
    const chain = [
      { id: 1, values: { Mn: 'Kostal', Md: 'Plenticore' } },
      { id: 103, values: { W: 5, W_SF: 0 } },
    ];
    const bank = recordedBank(buildChain(chain, { unitId: 71 }));
    const hardware = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
    const bus = `modbus-tcp://127.0.0.1:${hardware.port}`;
    const id = await start({ bus, driver: 'sunspec' });
    expect(await finished(id)).toMatchObject({ state: 'done', findings: [{ bus, unit: 71 }], notes: [] });
    await hardware.stop();
  });

  it('a caller may cancel the probe before its time', async () => {
    const id = await start({ bus: `modbus-tcp://127.0.0.1:${await freePort()}` });
    expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect(await report(id)).toMatchObject({ state: 'cancelled', findings: [] });
  });

  it('an address that the caller may not name is refused', async () => {
    const { status, body } = await send('POST', PATH, { bus: 'modbus-tcp://192.0.2.1' });
    expect([status, body]).toEqual([
      422,
      { errors: { bus: [expect.stringMatching(/^must be the IP address/)] } },
    ]);
  });
});

describe('a caller from outside the home', () => {
  it.each([
    'modbus-tcp://127.0.0.1:22',
    'modbus-tcp://127.1:22',
    'modbus-tcp://0.0.0.0:22',
    'modbus-tcp://[::1]:22',
    'modbus-tcp://[::ffff:127.0.0.1]:22',
    'modbus-tcp://[::ffff:192.168.1.20]:22',
    'modbus-tcp://169.254.169.254:80',
    'modbus-tcp://[fe80::1]:80',
    'modbus-tcp://224.0.0.251:5353',
    'modbus-tcp://8.8.8.8:53',
    'modbus-tcp://[2001:db8::1]:80',
    'modbus-tcp://localhost:22',
    'modbus-tcp://router.lan:80',
    'solarman://127.0.0.1:8899?logger=1',
    'serial:///etc/shadow',
    'modbus-rtu:///dev/../etc/shadow',
    'hid:///dev/mem',
  ])('a caller from outside may not name %s', async (bus) => {
    expect(remoteRefusal(parseBusAddress(bus), await loadRemoteScope())).toMatch(/^must be /);
  });

  it.each(['modbus-tcp://192.168.77.20:502', 'modbus-tcp://10.77.0.9', 'modbus-tcp://[fd12::77]:502'])(
    'a caller from outside may name %s',
    async (bus) => {
      expect(remoteRefusal(parseBusAddress(bus), await loadRemoteScope())).toBeUndefined();
    },
  );
});
