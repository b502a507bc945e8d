import { ApiError, ConnectionError, type DeviceConfiguration } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { whenInEffect } from './in-effect.ts';

const configuration = (part: Partial<DeviceConfiguration>): DeviceConfiguration => ({
  poll_interval_s: 2,
  time_zone: null,
  machine_time_zone: 'UTC',
  energy_period: 'weekly',
  setting_writes_per_day: 100,
  history: { max_size_mb: 500 },
  mdns: true,
  region: null,
  connections: [],
  mqtt: null,
  drivers: [],
  delegations: [],
  ports: [],
  problem: null,
  source: 'file',
  taking_effect: false,
  ...part,
});

const WRITTEN = configuration({ taking_effect: true });

/** Answers one after the other, the last one for ever. */
function answering(...answers: readonly (DeviceConfiguration | Error)[]) {
  const left = [...answers];
  return async (): Promise<DeviceConfiguration> => {
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer;
  };
}

describe('whenInEffect', () => {
  it('a configuration is in effect when the device is back and runs with it', async () => {
    const settled = configuration({ problem: 'the port is taken' });
    const get = answering(
      WRITTEN,
      new ConnectionError('http://device', 'refused'),
      new ApiError('https://proxy', 502, 'The device is away'),
      settled,
    );
    expect(await whenInEffect(WRITTEN, { get, pauseMs: 1 })).toBe(settled);
  });

  it('a configuration that changes nothing is in effect at once', async () => {
    const same = configuration({});
    expect(await whenInEffect(same, { get: answering(new Error('the device is not requested')) })).toBe(same);
  });

  it('the wait ends for a device that does not come back', async () => {
    const get = answering(new ConnectionError('http://device', 'refused'));
    expect(await whenInEffect(WRITTEN, { get, pauseMs: 1, patienceMs: 20 })).toBeUndefined();
  });

  it('the wait fails when the access has ended', async () => {
    const get = answering(new ApiError('http://device', 401, 'Signed out'));
    await expect(whenInEffect(WRITTEN, { get, pauseMs: 1 })).rejects.toThrow('Signed out');
  });
});
