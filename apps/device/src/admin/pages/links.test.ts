import type { DeviceAbout, DeviceLinks } from '@heliograph/contracts';
import { buildChain, recordedBank, startFaultyLink, startRegisterServer } from '@heliograph/dev/modbus';
import { afterEach, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { startWholeDevice } from '../../../test/whole-device.ts';

const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.stop();
});

const started = <T extends { stop(): Promise<unknown> }>(one: T): T => {
  running.push(one);
  return one;
};

const INVERTER = recordedBank(
  buildChain(
    [
      { id: 1, values: { Mn: 'Kostal', Md: 'Plenticore', SN: 'A-77', Vr: '1.44' } },
      { id: 103, values: { W: 5, W_SF: 0 } },
    ],
    { unitId: 1 },
  ),
);

/** Nothing listens there: no program takes port 1. */
const DEAD = 'modbus-tcp://127.0.0.1:1';

it('each connection has its state, its units, and the reason of a failure', async () => {
  const hardware = await startRegisterServer({ host: '127.0.0.1', port: 0, ...INVERTER });
  started(hardware);
  const bus = `modbus-tcp://127.0.0.1:${hardware.port}`;
  const device = started(
    await startWholeDevice(`poll_interval_s: 1
mdns: false
mqtt: { url: "mqtt://127.0.0.1:1" }
connections:
  - { driver: sunspec, bus: "${bus}" }
  - { driver: deye, bus: "${DEAD}", unit: 3 }
`),
  );
  const links = () => device.answer<DeviceLinks>('/api/v1/links');
  await expect.poll(async () => (await links()).connections[0]?.units).toHaveLength(1);
  await expect.poll(async () => (await links()).mqtt?.state).toBe('failing');
  const { connections, uplink, mqtt } = await links();
  expect(connections).toEqual([
    {
      driver: 'sunspec',
      title: 'SunSpec',
      bus,
      unit: null,
      state: 'connected',
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      error: null,
      quality_percent: expect.toSatisfy((percent) => percent > 0 && percent <= 100),
      requests: expect.toSatisfy((count) => count > 0),
      answered: expect.toSatisfy((count) => count > 0),
      unanswered: 0,
      dropped_frames: 0,
      closes_after_answers: false,
      round_trip_ms: expect.any(Number),
      poll_ms: expect.any(Number),
      unknown_totals: [],
      withheld_values: 0,
      doubtful: [],
      last_read_at: expect.stringMatching(/^\d{4}-.*Z$/),
      units: [
        {
          kind: 'inverters',
          model: 'Plenticore',
          serial_number: 'A-77',
          firmware_version: '1.44',
          topic_prefix: 'inverter_1',
          same_as: null,
          unknown_totals: [],
        },
      ],
    },
    {
      driver: 'deye',
      title: expect.stringContaining('Deye'),
      bus: DEAD,
      unit: 3,
      state: 'failing',
      since: expect.any(String),
      error: 'it is there, and refuses the connection: is the port right?',
      quality_percent: 0,
      requests: 0,
      answered: 0,
      unanswered: 0,
      dropped_frames: 0,
      closes_after_answers: false,
      round_trip_ms: null,
      poll_ms: null,
      unknown_totals: [],
      withheld_values: 0,
      doubtful: [],
      last_read_at: null,
      units: [],
    },
  ]);
  expect([uplink, mqtt]).toEqual([
    null,
    { state: 'failing', since: expect.any(String), reason: expect.stringMatching(/\S/) },
  ]);

  await hardware.stop();
  running.splice(running.indexOf(hardware), 1);
  await expect.poll(async () => (await links()).connections[0]?.state).toBe('failing');
  const [lost] = (await links()).connections;
  expect([lost?.units.length, lost?.error]).toEqual([1, expect.stringMatching(/\S/)]);
});

it('a meter with a role that was never found names the totals that are unknown because of it', async () => {
  const hardware = await startRegisterServer({ host: '127.0.0.1', port: 0, ...INVERTER });
  started(hardware);
  const device = started(
    await startWholeDevice(`poll_interval_s: 1
mdns: false
connections:
  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:${hardware.port}" }
  - { driver: eastron, bus: "${DEAD}", role: grid }
`),
  );
  const links = async () => (await device.answer<DeviceLinks>('/api/v1/links')).connections;
  await expect.poll(async () => (await links())[0]?.units).toHaveLength(1);
  const named = ['total/load_power', 'total/grid_power'];
  await expect.poll(async () => (await links())[1]).toMatchObject({ units: [], unknown_totals: named });
  expect((await links())[0]).toMatchObject({ unknown_totals: [], units: [{ unknown_totals: [] }] });
});

it('a connection whose other side closes after each answer is marked so', async () => {
  const hardware = started(await startRegisterServer({ host: '127.0.0.1', port: 0, ...INVERTER }));
  const gateway = started(await startFaultyLink(hardware));
  gateway.behave('close');
  const device = started(
    await startWholeDevice(`poll_interval_s: 1
mdns: false
connections:
  - { driver: sunspec, bus: "modbus-tcp://127.0.0.1:${gateway.port}" }
`),
  );
  const link = async () => (await device.answer<DeviceLinks>('/api/v1/links')).connections[0];
  await expect.poll(link).toMatchObject({ state: 'connected', closes_after_answers: true });
  gateway.behave('none');
  await expect.poll(link, { timeout: 10_000 }).toMatchObject({ closes_after_answers: false });
});

it('the device answers its identity, and its state of registration', async () => {
  const cloud: TestCloud = started(await startTestCloud());
  const device = started(
    await startWholeDevice('mdns: false\ntime_zone: Europe/Berlin\n', { env: { CLOUD_URL: cloud.url } }),
  );
  const claim = () => device.answer<Record<string, unknown>>('/api/v1/claim');
  await expect.poll(async () => (await claim()).state).toBe('waiting_for_activation');
  const { uid, time_zone } = await device.answer<DeviceAbout>('/api/v1/device');
  expect(time_zone).toBe('Europe/Berlin');
  const query = new URLSearchParams({ uid, callback: `${device.url}/callback` });
  expect(await claim()).toEqual({
    uid,
    state: 'waiting_for_activation',
    reason: 'the device waits to be activated',
    site_id: null,
    site_name: null,
    cloud_url: cloud.url,
    registration_code: null,
    portal_url: `${cloud.url}/sites#register?${query}`,
  });
  expect(await device.answer('/api/v1/links')).toMatchObject({
    uplink: { state: 'offline', proxy: null, reason: 'the device waits to be activated' },
  });
  cloud.answer = ({ wants_registration_code: isWanted }) => ({
    status: 'inactive',
    retry_after_s: 60,
    released: { registration_code: isWanted ? { code: '0123A-BCDEF', expires_in_s: 900 } : null },
  });
  await expect
    .poll(claim, { timeout: 10_000 })
    .toMatchObject({ state: 'released', registration_code: { code: '0123A-BCDEF' } });
  expect((await claim()).portal_url).toBe(`${cloud.url}/sites#register?${query}&code=0123A-BCDEF`);
  const back = await device.browser.get('/callback?token=secret');
  expect([back.status, back.headers.get('location')]).toEqual([303, '/']);
});
