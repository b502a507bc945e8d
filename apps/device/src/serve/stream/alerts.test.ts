import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { READ_AT } from '../../../test/serve/api/plant.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { connectStream, type StreamClient } from '../../../test/serve/stream/stream-client.ts';

let clock: ManualClock;
let device: TestDevice;
beforeEach(async () => {
  clock = new ManualClock(READ_AT);
  device = await startTestDevice({ clock });
});
afterEach(() => device.stop());

const join = async (payload: Record<string, unknown>): Promise<StreamClient> => {
  const url = device.api.url.replace('http', 'ws');
  const client = await connectStream(
    `${url}/api/websocket?password=${encodeURIComponent(PASSWORD)}&vsn=2.0.0`,
  );
  client.send('1', '2', 'metrics', 'phx_join', payload);
  await client.next('phx_reply');
  return client;
};

/** The inverter is in a mode for some minutes, in each of which the clients send a heartbeat, as clients do. */
async function inMode(mode: string, minutes: number, ...clients: readonly StreamClient[]): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    for (const client of clients) {
      const ref = `beat ${clock.now()}`;
      client.send(null, ref, 'phoenix', 'heartbeat', {});
      await expect.poll(() => client.frames.some((frame) => frame[1] === ref), { interval: 5 }).toBe(true);
    }
    for (let i = 0; i < 29; i++) {
      clock.advance(2_000);
      device.plant.publish({ 'inverter_1/device_mode': mode });
    }
  }
}

it('a client that asks for alerts gets the open ones, and then each that is raised, acknowledged or cleared', async () => {
  const client = await join({ topics: [], alerts: true });
  expect((await client.next('alert'))[4]).toEqual({ alerts: [] });
  await inMode('Fault', 1, client);
  expect((await client.next('alert'))[4]).toMatchObject({
    alerts: [{ id: 1, rule: 'fault', state: 'raised', text: 'Inverter 1 reports: Fault' }],
  });
  const later = await join({ topics: [], alerts: true });
  expect((await later.next('alert'))[4]).toMatchObject({ alerts: [{ id: 1, state: 'raised' }] });
  device.alerting.watch.acknowledge(1, true, 'local');
  expect((await client.next('alert'))[4]).toMatchObject({ alerts: [{ id: 1, state: 'acknowledged' }] });
  await inMode('Line mode', 6, client, later);
  expect((await client.next('alert'))[4]).toMatchObject({ alerts: [{ id: 1, state: 'cleared' }] });
});

it('a client that does not ask for alerts gets none, also after it asked in an earlier join', async () => {
  const client = await join({ topics: [{ topic: 'inverter_1/device_mode' }], alerts: true });
  await client.next('alert');
  client.send('2', '3', 'metrics', 'phx_join', { topics: [{ topic: 'inverter_1/device_mode' }] });
  await client.next('phx_reply', ([, ref]) => ref === '3');
  await inMode('Fault', 1, client);
  await client.next('data', ([, , , , payload]) => JSON.stringify(payload).includes('Fault'));
  expect(device.alerting.alerts.open()).toHaveLength(1);
  device.plant.publish({ 'inverter_1/device_mode': 'Off' });
  await client.next('data', ([, , , , payload]) => JSON.stringify(payload).includes('Off'));
  expect(client.frames.filter(([, , , event]) => event === 'alert')).toHaveLength(1);
});
