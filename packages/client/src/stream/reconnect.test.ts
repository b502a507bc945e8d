import { afterEach, expect, test, vi } from 'vitest';
import { FakeDevice, sampleMetrics } from '../../test/index.ts';
import { DeviceClient } from '../index.ts';

/** Delays after 0, 1, 2 and 3 failures, in milliseconds; no other timer has one of them. */
const DELAYS_MS = [1.5, 3, 6, 12];

afterEach(() => vi.restoreAllMocks());

/** @returns the first three waits of a stream whose every connection is dropped once it is joined */
async function waitsOf(stableAfterMs: number): Promise<number[]> {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const timeouts = vi.spyOn(globalThis, 'setTimeout');
  const waits = () => timeouts.mock.calls.flatMap(([, ms = 0]) => (DELAYS_MS.includes(ms) ? [ms] : []));
  const device = await new FakeDevice(sampleMetrics()).start();
  const stream = new DeviceClient({ host: device.address, ...device.credentials }).stream({
    timings: { stableAfterMs, reconnect: { minMs: 1.5, maxMs: 60_000 } },
    onStatus: ({ state }) => {
      if (state === 'live') device.dropConnections();
    },
  });
  await expect.poll(() => waits().length).toBeGreaterThanOrEqual(3);
  stream.close();
  await stream.ended;
  await device.stop();
  return waits().slice(0, 3);
}

test('delays grow while a device drops connections before they are stable', async () => {
  expect(await waitsOf(600_000)).toEqual([3, 6, 12]);
});

test('the delay is the shortest again after a stable connection', async () => {
  expect(await waitsOf(0)).toEqual([1.5, 1.5, 1.5]);
});
