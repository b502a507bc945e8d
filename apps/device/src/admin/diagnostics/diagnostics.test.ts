import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { createLogger, type Logger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unpack } from '../../../test/admin/diagnostics/unpack.ts';
import { registersWith } from '../../../test/drivers/deye/registers.ts';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';
import type { Manifest } from './bundle.ts';
import { LogTail } from './log-tail.ts';

/** The registers of the inverter spell it. */
const SERIAL = '2301606000';
const MQTT_PASSWORD = 'br0ker "secret" pässword';

/** Lines as a careless library might log them, and the part of each that may be in no bundle. */
const PLANTED: readonly (readonly [line: string, secret: string])[] = [
  [`login with ${MQTT_PASSWORD} failed`, 'br0ker'],
  ['connect mqtt://someuser:hunter22@192.168.1.9', 'hunter22'],
  ['user planted-user refused', 'planted-user'],
  ['broker a1b2.brokers.example is away', 'a1b2.brokers.example'],
  ['the mail server post.jane-solar.example refuses house-of-jane: p0st-pässword', 'p0st-pässword'],
  ['mails of house-of-jane', 'house-of-jane'],
  ['post.jane-solar.example is away', 'post.jane-solar'],
  ['Authorization: Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl', 'eyJhbGci'],
  ['Authorization: Basic YWRtaW46YSBkZXZpY2UgcGFzc3dvcmQ=', 'YWRtaW46'],
  ['headers {"site-key":"k3y-in-header"}', 'k3y-in-header'],
  ['wifi psk=my-wifi-passphrase', 'my-wifi-passphrase'],
  ['ssid: "Villa Sunshine"', 'Sunshine'],
  ['mail to jane.doe@example.org bounced', 'jane.doe'],
  ['home is at 52.520008, 13.404954', '13.404954'],
  ['latitude=48.858', '48.858'],
  ['peer 203.0.113.77 left', '203.0.113.77'],
  ['peer 203.0.113.78:443 left', '203.0.113.78'],
  ['peer 2001:db8:85a3::8a2e:370:7334 left', '8a2e'],
  [`inverter ${SERIAL} answers`, SERIAL],
  ['station 02:42:ac:11:00:99 joined', '02:42:ac:11:00:99'],
  ['key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', '9f86d081884c7d65'],
  ['token hg_4fGh7Jk2Lm9Pq3Rs5Tv8Wx1Yz6Bc0DeQ', '4fGh7Jk2Lm9Pq'],
  ['logger 2712345678 speaks', '2712345678'],
  ['a password is a device password', 'a device password'],
  ['-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----', 'MC4CAQAwBQYD'],
  ['cannot read /home/jane/notes', '/home/jane'],
];

const undo = new AsyncDisposableStack();
let device: WholeDevice;
let logger: Logger;
let secrets: string[];

let inverter: Awaited<ReturnType<typeof startRegisterServer>>;
beforeAll(async () => {
  const registers = registersWith(3, { 210: 20 });
  inverter = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    ...recordedBank({ unitId: 1, registers }),
    write: (_unit, address, values) => {
      for (const [index, value] of values.entries()) registers.set(address + index, value);
    },
  });
  undo.defer(() => inverter.stop());
  const logTail = new LogTail();
  logger = createLogger('device', 'info', logTail.before({ write: () => {} }));
  device = await startWholeDevice(
    // Values are stale, and not shown, after three polls, which a busy machine may be late by.
    `poll_interval_s: 1
mdns: false
connections:
  - { driver: deye, bus: "modbus-tcp://127.0.0.1:${inverter.port}" }
  - { driver: deye, bus: "solarman://203.0.113.9:8899?logger=2712345678" }
  - { driver: deye, bus: "modbus-rtu:///dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0" }
  - { driver: deye, bus: "modbus-tcp://jane.dyndns.example:502" }
mqtt:
  url: "mqtts://a1b2.brokers.example:8883"
  username: planted-user
  password: ${JSON.stringify(MQTT_PASSWORD)}
notifications:
  - smtp: smtps://post.jane-solar.example
    username: house-of-jane
    password: p0st-pässword
    from: house@example.org
    to: [jane@example.org]
`,
    { logger, logTail },
  );
  undo.defer(() => device.stop());
  const rows = () => device.answer<{ value: unknown }[]>('/api/v1/metrics?topic=inverter_1/serial_number');
  await vi.waitFor(async () => expect((await rows())[0]?.value).toBe(SERIAL), {
    interval: 20,
    timeout: 10_000,
  });
  await device.browser.send('POST', '/api/v1/metrics', {
    topic: 'inverter_1/max_charge_current',
    value: '35',
  });
  for (const [line] of PLANTED) logger.warn({ reason: line }, line);
  const { uid } = await device.answer<{ uid: string }>('/api/v1/device');
  const cookie = device.browser.cookie.split('=')[1] ?? '';
  const macs = Object.values(networkInterfaces())
    .flatMap((all = []) => all.map(({ mac }) => mac))
    .filter((mac) => mac !== '00:00:00:00:00:00');
  logger.info(`device ${uid}, session ${cookie}, key ${privateKey()}, ${macs.join(' ')}`);
  secrets = [
    ...PLANTED.map(([, secret]) => secret),
    uid,
    cookie,
    privateKey(),
    ...macs,
    'A50285BI',
    'jane.dyndns',
    '203.0.113.9',
  ];
});

afterAll(() => undo.disposeAsync());

/** The running device has its database for itself; a copy can be read. */
function privateKey(): string {
  const copy = join(device.folder, 'copy.sqlite');
  for (const suffix of ['', '-wal'])
    copyFileSync(join(device.folder, `device.sqlite${suffix}`), copy + suffix);
  const db = new DatabaseSync(copy);
  const { private_jwk: jwk } = db.prepare('SELECT private_jwk FROM identity').get() ?? {};
  db.close();
  return (JSON.parse(String(jwk)) as { d: string }).d;
}

describe('GET /api/v1/diagnostics', () => {
  it('a bundle is a ZIP that browsers save under the name of the site and the time, and that no cache keeps', async () => {
    const answer = await device.browser.get('/api/v1/diagnostics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="diagnostics-device-\d{8}T\d{6}Z\.zip"$/,
    );
    await answer.arrayBuffer();
  });

  it('a bundle has the files of its manifest, with their sums, and names the frames that were not requested', async () => {
    const { 'manifest.json': manifest = '', ...files } = await unpack(
      await device.browser.get('/api/v1/diagnostics'),
    );
    const { version, files: named, left_out: leftOut } = JSON.parse(manifest) as Manifest;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(files).toSorted()).toEqual(
      [
        'README.txt',
        'configuration.json',
        'device.json',
        'energy.json',
        'links.json',
        'log.txt',
        'metrics.json',
        'network.json',
        'settings-log.json',
      ].toSorted(),
    );
    expect(named.map(({ name, sha256 }) => [name, sha256])).toEqual(
      Object.entries(files).map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]),
    );
    expect(leftOut).toEqual([{ name: 'frames.json', reason: 'it was not asked for' }]);
  });

  it.each(['', '?frames=1'])('no planted secret is in any byte of a bundle%s', async (query) => {
    const files = await unpack(await device.browser.get(`/api/v1/diagnostics${query}`));
    // A group of an IPv6 address stands in one of a hundred sets of digests by chance.
    const digests = /\b[0-9a-f]{64}\b/g;
    const texts = { ...files, 'manifest.json': files['manifest.json']?.replaceAll(digests, '') ?? '' };
    const found = Object.entries(texts).flatMap(([name, text]) =>
      secrets
        .filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))
        .map((secret) => ({ name, secret })),
    );
    expect(found).toEqual([]);
    expect(Object.keys(files)).toContain('log.txt');
    expect(files['log.txt']?.split('\n').length).toBeGreaterThan(PLANTED.length);
  });

  it('the serial number of an inverter has the same pseudonym in metrics, links and log', async () => {
    const files = await unpack(await device.browser.get('/api/v1/diagnostics'));
    const metrics = JSON.parse(files['metrics.json'] ?? '') as { topic: string; value: string }[];
    const pseudonym = metrics.find(({ topic }) => topic === 'inverter_1/serial_number')?.value;
    expect(pseudonym).toMatch(/^serial-\d$/);
    expect(files['links.json']).toContain(`"serial_number": "${pseudonym}"`);
    expect(files['log.txt']).toContain(`inverter ${pseudonym} answers`);
  });

  it('a bundle has what helps: values with their ages, writes, links with their errors, energy and the network', async () => {
    const files = await unpack(await device.browser.get('/api/v1/diagnostics'));
    const parsed = <T>(name: string): T => JSON.parse(files[name] ?? '') as T;
    expect(parsed<object[]>('metrics.json')).toContainEqual(
      expect.objectContaining({
        topic: 'inverter_1/max_charge_current',
        value: 35,
        age_s: expect.any(Number),
      }),
    );
    expect(parsed('settings-log.json')).toMatchObject([
      {
        author: 'local',
        topic: 'inverter_1/max_charge_current',
        new_value: '35',
        outcome: 'ok',
        settles_by: null,
      },
    ]);
    expect(parsed('links.json')).toMatchObject({
      connections: [{ state: 'connected', error: null }, {}, { error: expect.any(String) }, {}],
    });
    expect(parsed('configuration.json')).toMatchObject({
      connections: [
        { driver: 'deye', bus: { transport: 'modbus-tcp', host: '127.0.0.1' } },
        { bus: { transport: 'solarman', host: 'host-1', logger: expect.stringMatching(/^serial-/) } },
        { bus: { transport: 'modbus-rtu', path: 'port-1' } },
        { bus: { host: 'host-2', port: 502 } },
      ],
      mqtt: { scheme: 'mqtts', port: 8883, has_username: true, has_password: true },
    });
    expect(parsed('energy.json')).toMatchObject({ period: 'weekly', days: expect.any(Array) });
    expect(parsed('network.json')).toMatchObject({ cloud: { is_configured: false, is_reached: false } });
    expect(parsed('device.json')).toMatchObject({
      device: 'device-1',
      memory: { total_mb: expect.any(Number) },
      disk: { free_mb: expect.any(Number) },
      clock: { corrections: [] },
    });
  });

  it('the frames that were asked for are requests and answers of the bus, with the serial number masked', async () => {
    const files = await unpack(await device.browser.get('/api/v1/diagnostics?frames=1'));
    const [first] = JSON.parse(files['frames.json'] ?? '') as {
      frames: { direction: string; bytes: string }[];
    }[];
    expect(new Set(first?.frames.map(({ direction }) => direction))).toEqual(new Set(['sent', 'received']));
    const spelt = Buffer.from(SERIAL)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$& ');
    expect(files['frames.json']).not.toContain(spelt);
  });

  it('callers without a password are refused with 401, and another value of frames with 400', async () => {
    expect((await fetch(`${device.url}/api/v1/diagnostics`)).status).toBe(401);
    expect((await device.browser.get('/api/v1/diagnostics?frames=2')).status).toBe(400);
  });

  it('two bundles at once are both whole', async () => {
    const answers = await Promise.all([1, 2].map(() => device.browser.get('/api/v1/diagnostics')));
    for (const answer of answers) expect(await unpack(answer)).toHaveProperty(['manifest.json']);
  });
});

it('the serial number of an inverter that does not answer any more stays a pseudonym', async () => {
  await inverter.stop();
  const rows = () => device.answer<{ value: unknown }[]>('/api/v1/metrics?topic=inverter_1/serial_number');
  await vi.waitFor(async () => expect((await rows())[0]?.value).toBeNull(), {
    interval: 20,
    timeout: 30_000,
  });
  const files = await unpack(await device.browser.get('/api/v1/diagnostics'));
  expect(files['log.txt']).toMatch(/inverter serial-\d answers/);
  expect(Object.values(files).join('\n')).not.toContain(SERIAL);
});
