import { DeviceClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import { deviceKey } from './device-key.ts';

const device = (): DeviceClient => new DeviceClient({ address: 'http://device.example', password: 'a' });

it('the key of a device stays the same', () => {
  const one = device();
  expect(deviceKey(one)).toBe(deviceKey(one));
});

it('two devices have different keys, though they have the same address', () => {
  const keys = [device(), device()].map(deviceKey);
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys).toEqual([
    expect.stringMatching(/^device [1-9]\d*$/),
    expect.stringMatching(/^device [1-9]\d*$/),
  ]);
});

it('no device has a key that no device shares', () => {
  expect(deviceKey(undefined)).toBe('none');
  expect(deviceKey(device())).not.toBe('none');
});
