import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { signDeviceProof } from '@heliograph/wire';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect as connectDevice, newDevice, type TestDevice } from '../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

const MIB = 1024 * 1024;
const UPLOAD = 'POST /api/v1/uploads?name=a.txt';
const PAYMENTS = 'POST /webhooks/payments/stripe';
const PATIENCE = { timeout: 10_000, interval: 20 };

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

/** A request whose body, which begins with a space, is held back after its first byte. */
class HeldBody {
  readonly socket: Socket;
  answer = '';

  /** @param length in bytes; null for a chunked body @param from the address of the client */
  constructor(route: string, bearer: string, length: number | null, from = '192.0.2.1') {
    const { hostname, port } = new URL(cloud.url);
    this.socket = connect({ host: hostname, port: Number(port) });
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      this.answer += String(chunk);
    });
    const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    const client = `Authorization: Bearer ${bearer}\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json`;
    const head = `${route} HTTP/1.1\r\nHost: x\r\n${client}\r\n${framing}\r\n\r\n`;
    this.socket.write(`${head}${length === null ? '1\r\nx\r\n' : ' '}`);
    open.push(this);
  }

  async send(bytes: string | Buffer): Promise<void> {
    await new Promise<unknown>((resolve) => this.socket.write(bytes, resolve));
    await setImmediate();
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

it('a body that stops is answered 408 after five seconds, and its sender has his share again ten seconds later', async () => {
  const bodies = hold(3);
  await expect.poll(() => statuses(bodies)).toEqual([429]);
  cloud.clock.advance(4_999.5);
  expect(await shortUpload()).toBe(429);
  expect(statuses(bodies)).toEqual([429]);
  cloud.clock.advance(1.25);
  await expect.poll(() => statuses(bodies).toSorted(), PATIENCE).toEqual([408, 408, 429]);
  for (const { answer } of bodies) expect(answer).toMatch(/^retry-after: 10\r$/im);
  expect(await shortUpload()).toBe(429);
  cloud.clock.advance(10_000.5);
  expect(await shortUpload()).toBe(201);
});

it.each([
  [64, 200],
  [32, 408],
])('the alerts of a device that sends %i kbit/s, 256 KiB long, are answered %i', async (kbits, status) => {
  const [device, other] = [await registeredDevice(), await registeredDevice()];
  const route = `PUT /api/v1/devices/alerts?uid=${device.uid}`;
  const text = JSON.stringify({ alerts: [], open: null }).padStart(256 * 1024);
  const [body] = hold(1, text.length, await proofOf(device), route);
  const bytesPerSecond = (kbits * 1000) / 8;
  for (let sent = 1; sent < text.length && body?.status === 0; sent += bytesPerSecond) {
    await body.send(text.slice(sent, sent + bytesPerSecond));
    cloud.clock.advance(999.75);
    // Bodies are looked at when another one arrives.
    await sendAlerts(other);
  }
  await expect.poll(() => body?.status).toBe(status);
});

it('backups that arrive too slowly give way to others when their share is full, and one that is fast does not', async () => {
  const devices = await Promise.all(Array.from({ length: 9 }, registeredDevice));
  const held = (await Promise.all(devices.slice(0, 5).map(holdBackup))).flat();
  await expect.poll(() => statuses(held)).toEqual([503]);
  const fast = held.find(({ status }) => status === 0);
  await fast?.send(Buffer.alloc(MIB));
  cloud.clock.advance(500.75);
  const later = (await Promise.all(devices.slice(5).map(holdBackup))).flat();
  await expect.poll(() => statuses(held).toSorted()).toEqual([408, 408, 408, 503]);
  await expect.poll(() => statuses(later)).toEqual([503]);
  expect(fast?.status).toBe(0);
});

it('a notification of a payment provider is taken while sixteen networks hold back all notifications that there is memory for', async () => {
  const idle = Array.from(
    { length: 64 },
    (_, n) => new HeldBody(PAYMENTS, '', 256 * 1024, `198.51.100.${n % 16}`),
  );
  const notify = async () => (await cloud.call(PAYMENTS, { raw: '{}', from: '203.0.113.1' })).status;
  await expect.poll(notify).toBe(503);
  cloud.clock.advance(500.75);
  // No payment provider is set up.
  expect(await notify()).toBe(404);
  await expect.poll(() => statuses(idle)).toEqual([408]);
});
