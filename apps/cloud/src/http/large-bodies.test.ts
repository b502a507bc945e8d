import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { signDeviceProof } from '@heliograph/wire';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect as connectDevice, newDevice, type TestDevice } from '../testing/device-calls.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MIB = 1024 * 1024;
const UPLOAD = 'POST /api/v1/uploads?name=a.txt';

let cloud: TestCloud;
let token: string;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  token = (await cloud.make.user()).token;
});
const open: HeldBody[] = [];
afterEach(async () => {
  for (const { socket } of open.splice(0)) {
    if (socket.closed) continue;
    socket.end();
    await once(socket, 'close');
  }
  await cloud.call('GET /healthz');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** A request whose body is held back after its first byte. */
class HeldBody {
  readonly socket: Socket;
  answer = '';

  /** @param length in bytes; null for a chunked body */
  constructor(route: string, bearer: string, length: number | null) {
    const { hostname, port } = new URL(cloud.url);
    this.socket = connect({ host: hostname, port: Number(port) });
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      this.answer += String(chunk);
    });
    const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    const head = `${route} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n${framing}\r\n\r\n`;
    this.socket.write(`${head}${length === null ? '1\r\nx\r\n' : 'x'}`);
    open.push(this);
  }

  get status(): number {
    return Number(this.answer.slice(9, 12));
  }
}

const hold = (count: number, length: number | null = 10 * MIB, bearer = token, route = UPLOAD): HeldBody[] =>
  Array.from({ length: count }, () => new HeldBody(route, bearer, length));

const statuses = (bodies: readonly HeldBody[]): number[] =>
  bodies.map(({ status }) => status).filter(Boolean);

const shortUpload = async (bearer = token): Promise<number> =>
  (await cloud.call(UPLOAD, { token: bearer, raw: 'x' })).status;

async function registeredDevice(): Promise<TestDevice> {
  const owner = await cloud.make.user();
  const device = await newDevice();
  await connectDevice(cloud, device);
  await cloud.call('POST /api/v1/sites/register', { token: owner.token, body: { uid: device.uid } });
  return device;
}

const proofOf = ({ key, uid }: TestDevice) => signDeviceProof(key, uid, cloud.url, cloud.clock.now());

const holdBackup = async (device: TestDevice) =>
  hold(
    1,
    16 * MIB,
    await proofOf(device),
    `PUT /api/v1/devices/backups?uid=${device.uid}&fetch_hash=${'a'.repeat(64)}`,
  );

const sendAlerts = async (device: TestDevice) =>
  cloud.call(`PUT /api/v1/devices/alerts?uid=${device.uid}`, {
    token: await proofOf(device),
    body: { alerts: [], open: null },
  });

it('the third of an account’s large bodies is refused before it is read, and sixty as well', async () => {
  const bodies = hold(60);
  await expect.poll(() => statuses(bodies).length).toBe(58);
  expect(new Set(statuses(bodies))).toEqual(new Set([429]));
  expect(bodies.find(({ status }) => status === 429)?.answer).toMatch(/^retry-after: \d+\r$/im);
  expect(await shortUpload()).toBe(429);
});

it('large bodies of all accounts count together, and devices and proxies have shares of their own', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => cloud.make.user()));
  const bodies = [token, ...others.map((user) => user.token)].flatMap((bearer) => hold(2, 10 * MIB, bearer));
  await expect.poll(() => statuses(bodies)).toEqual([503, 503]);
  expect(bodies.find(({ status }) => status === 503)?.answer).toMatch(/^retry-after: \d+\r$/im);

  const device = await registeredDevice();
  const ofDevice = [...(await holdBackup(device)), ...(await holdBackup(device))];
  await expect.poll(() => statuses(ofDevice)).toEqual([429]);
  const announcement = hold(2, 16 * MIB, await cloud.proxyCredential('us-1'), 'PUT /api/v1/proxies/us-1');
  await expect.poll(() => statuses(announcement)).toEqual([429]);
});

it('alerts are taken while devices hold back all backups that there is memory for', async () => {
  const devices = await Promise.all(Array.from({ length: 5 }, registeredDevice));
  const backups = (await Promise.all(devices.map(holdBackup))).flat();
  await expect.poll(() => statuses(backups)).toEqual([503]);
  for (const device of [await registeredDevice(), ...devices])
    expect(await sendAlerts(device)).toMatchObject({ status: 200 });
});

it('a third upload of alerts that a device holds back is refused', async () => {
  const device = await registeredDevice();
  const alerts: HeldBody[] = [];
  for (let n = 0; n < 3; n++)
    alerts.push(
      ...hold(1, 256 * 1024, await proofOf(device), `PUT /api/v1/devices/alerts?uid=${device.uid}`),
    );
  await expect.poll(() => statuses(alerts)).toEqual([429]);
  expect(await sendAlerts(await registeredDevice())).toMatchObject({ status: 200 });
});

it.each<[string, (socket: Socket) => unknown]>([
  ['ended', (socket) => socket.write('0\r\n\r\n')],
  ['failed', (socket) => socket.write('no length\r\n')],
  ['broke off with its connection', (socket) => socket.destroy()],
])('a body without a length counts as the longest until it %s', async (_what, end) => {
  const bodies = hold(3, null);
  await expect.poll(() => statuses(bodies)).toEqual([429]);
  expect(await shortUpload()).toBe(429);
  const held = bodies.find(({ status }) => status === 0);
  if (held !== undefined) end(held.socket);
  await expect.poll(() => shortUpload()).toBe(201);
});
