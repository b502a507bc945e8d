import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionChange, DeviceConfiguration, DeviceConfigurationChange } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';

const PATH = '/api/v1/configuration';
const TEXT = `# Our house
poll_interval_s: 0.2 # soon
mdns: false

connections:
  # in the cellar
  - driver: sunspec
    bus: modbus-tcp://127.0.0.1:1 # with a long cable
    unit: 1
  - driver: deye
    bus: modbus-tcp://127.0.0.1:2
    unit: 1
    options: { grid_meter: ct }
  - driver: shelly
    bus: http://127.0.0.1:1
    role: grid
    options: { password: secret of the meter }
mqtt:
  url: mqtt://127.0.0.1:1
  password: secret of the broker # never told
`;

let device: WholeDevice;
beforeAll(async () => {
  device = await startWholeDevice(TEXT);
});
afterAll(() => device.stop());
beforeEach(() => writeFileSync(join(device.folder, 'device.yaml'), TEXT));

const configuration = () => device.answer<DeviceConfiguration>(PATH);
const change = async (change: DeviceConfigurationChange) => {
  const answer = await device.browser.send('PATCH', PATH, change);
  return { status: answer.status, body: (await answer.json()) as DeviceConfiguration & { errors: object } };
};
/** The configuration once the device runs with it. */
const inEffect = () =>
  expect
    .poll(() => configuration().catch(() => undefined), { interval: 20 })
    .toMatchObject({ taking_effect: false });

describe('GET /api/v1/configuration', () => {
  it('the configuration is answered with defaults, and without the secret', async () => {
    const shown = await configuration();
    expect(shown).toMatchObject({
      poll_interval_s: 0.2,
      time_zone: null,
      energy_period: 'weekly',
      setting_writes_per_day: 100,
      history: { max_size_mb: 500 },
      mdns: false,
      region: null,
      connections: [
        { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:1', unit: 1, options: {} },
        { driver: 'deye', unit: 1, role: null, options: { grid_meter: 'ct' } },
        { driver: 'shelly', unit: null, role: 'grid', options: {} },
      ],
      mqtt: { url: 'mqtt://127.0.0.1:1', has_password: true, username: null, home_assistant: true },
      problem: null,
      source: 'file',
      taking_effect: false,
    });
    expect(JSON.stringify(shown)).not.toContain('secret of');
    expect(shown.drivers.find(({ name }) => name === 'deye')).toEqual({
      name: 'deye',
      title: 'Deye, SunSynk, Sol-Ark',
      transports: ['modbus-tcp', 'modbus-rtu', 'modbus-rtu-tcp', 'solarman'],
      has_units: true,
      usual_units: [2, 3],
      baud_rate: 9600,
      reads_meters: false,
      options: [
        {
          name: 'grid_meter',
          description: expect.stringContaining('where grid power is measured'),
          type: 'choice',
          choices: ['inverter', 'ct'],
        },
      ],
    });
  });

  it('a driver of meters is described with its secret, and never on a serial port', async () => {
    const { drivers } = await configuration();
    expect(drivers.find(({ name }) => name === 'shelly')).toMatchObject({
      transports: ['http'],
      reads_meters: true,
      baud_rate: null,
      options: [
        { name: 'password', type: 'secret' },
        { name: 'username', type: 'text' },
      ],
    });
  });

  it.each<[DeviceConfigurationChange, string, RegExp]>([
    [{ poll_interval_s: 0 }, 'poll_interval_s', /from 0.05 to 3600/],
    [{ time_zone: 'Mars/North' }, 'time_zone', /must be a time zone/],
    [{ history: { max_size_mb: 1 } }, 'history.max_size_mb', /from 10 to/],
    [{ mqtt: { topic_prefix: 'a/#' } }, 'mqtt.topic_prefix', /cannot be/],
    [{ mqtt: { url: 'http://x', password: 'p' } }, 'mqtt.url', /must be a broker/],
    [{ mqtt: { url: 'mqtt://elsewhere' } }, 'mqtt.password', /needed again/],
    [{ connections: [{ driver: 'sunspec', bus: 'modbus-tcp://' }] }, 'connections.0.bus', /the address/],
    [
      {
        connections: [
          { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:1' },
          { driver: 'sunspc', bus: 'modbus-tcp://127.0.0.1:9' },
        ],
      },
      'connections.1.driver',
      /did you mean "sunspec"/,
    ],
  ])('the change %j is refused at its field, and changes nothing', async (invalid, field, message) => {
    const { status, body } = await change({ mdns: true, ...invalid });
    expect([status, body.errors]).toEqual([422, { [field]: [expect.stringMatching(message)] }]);
    expect(device.text()).toBe(TEXT);
    expect((await configuration()).taking_effect).toBe(false);
  });

  it('the running configuration is answered while the file is invalid, with the problem', async () => {
    writeFileSync(join(device.folder, 'device.yaml'), 'poll_interval_s: soon\n');
    expect(await configuration()).toMatchObject({
      poll_interval_s: 0.2,
      problem: expect.stringContaining('poll_interval_s: must be a number'),
    });
    const { status, body } = await change({ mdns: false });
    expect([status, body.errors]).toEqual([422, { poll_interval_s: [expect.any(String)] }]);
  });

  it('the configuration is for callers that may configure', async () => {
    expect((await fetch(device.url + PATH)).status).toBe(401);
  });
});

describe('PATCH /api/v1/configuration', () => {
  const METER = { driver: 'shelly', bus: 'http://127.0.0.1:1' };

  it.each<[string, ConnectionChange, boolean]>([
    ['stays with its address', { ...METER, role: 'pv', options: {} }, true],
    ['stays where options are not changed', METER, true],
    ['does not go to another address', { ...METER, bus: 'http://127.0.0.1:9', options: {} }, false],
    ['is removed by null', { ...METER, options: { password: null } }, false],
    ['is removed with all options', { ...METER, options: null }, false],
  ])('the secret of a connection %s', async (_what, connection, isStored) => {
    const { status } = await change({ connections: [connection] });
    expect([status, device.text().includes('secret of the meter')]).toEqual([200, isStored]);
    await inEffect();
  });

  it('a role of a connection that reads no meter is refused at its field', async () => {
    const connections = [{ driver: 'deye', bus: 'modbus-tcp://127.0.0.1:2', role: 'grid' as const }];
    const { status, body } = await change({ connections });
    expect([status, body.errors]).toEqual([
      422,
      { 'connections.0.role': [expect.stringMatching(/reads no meter/)] },
    ]);
  });

  it('a change takes effect in the same process and at the same address, and keeps comments and other values', async () => {
    const { status, body } = await change({
      energy_period: 'daily',
      connections: [
        { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:3' },
        { driver: 'deye', bus: 'modbus-tcp://127.0.0.1:2' },
        { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:4', unit: 7 },
      ],
      mqtt: { username: 'home' },
    });
    expect([status, body.energy_period, body.taking_effect]).toEqual([200, 'daily', true]);
    await inEffect();
    expect(await device.answer('/api/v1/device')).toMatchObject({ energy_period: 'daily' });
    expect((await configuration()).connections).toEqual([
      { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:3', unit: 1, role: null, options: {} },
      { driver: 'deye', bus: 'modbus-tcp://127.0.0.1:2', unit: 1, role: null, options: { grid_meter: 'ct' } },
      { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:4', unit: 7, role: null, options: {} },
    ]);
    const text = device.text();
    for (const kept of ['# Our house', '# soon', '# in the cellar', ':3 # with a long cable']) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('password: secret of the broker # never told\n  username: home');
  });

  it('values set to null are dropped, and connections that are not listed', async () => {
    await change({
      poll_interval_s: null,
      mqtt: null,
      connections: [{ driver: 'deye', bus: 'modbus-tcp://127.0.0.1:2', unit: null, options: null }],
    });
    await inEffect();
    expect(await configuration()).toMatchObject({
      poll_interval_s: 2,
      mqtt: null,
      connections: [{ driver: 'deye', unit: null, options: {} }],
    });
  });

  it('changes of two browsers at once are both made', async () => {
    const both = await Promise.all([change({ region: 'eu' }), change({ setting_writes_per_day: 7 })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await inEffect();
    expect(await configuration()).toMatchObject({ region: 'eu', setting_writes_per_day: 7 });
  });
});
