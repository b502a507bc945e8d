import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';

let device: TestDevice;
beforeEach(async () => {
  device = await startTestDevice();
});
afterEach(() => device.stop());

const connected = async (): Promise<Socket> => {
  const socket = connect(device.api.port, '127.0.0.1');
  await once(socket, 'connect');
  // Connections accepted before this answer are known to the server by then.
  expect((await fetch(`${device.api.url}/healthz`)).status).toBe(200);
  return socket;
};

/** Far below the minute that Node's server would wait for a request to come. */
const SOON_MS = 5_000;

it('a stop does not wait for connections that were never used', { timeout: SOON_MS }, async () => {
  const sockets = [await connected(), await connected()];
  const ends = sockets.map((socket) => once(socket.resume(), 'close'));
  await device.api.stop();
  await Promise.all(ends);
});

it('a stop lets requests under way be answered', { timeout: SOON_MS }, async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  device.settings.set = async () => {
    begun.resolve();
    await mayEnd;
  };
  const answer = fetch(`${device.api.url}/api/v1/metrics`, {
    method: 'POST',
    headers: { authorization: basic(PASSWORD, 'admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'inverter_1/max_charge_current', value: '40' }),
  });
  await begun.promise;
  const stopped = device.api.stop();
  end();
  expect(await (await answer).json()).toEqual({ topic: 'inverter_1/max_charge_current', result: 'ok' });
  await stopped;
});
