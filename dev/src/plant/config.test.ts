import { Env } from '@heliograph/kit';
import { describe, expect, test } from 'vitest';
import { plantConfigFromEnv } from './config.ts';

describe("the plant's environment", () => {
  test('an empty environment gives the defaults', () => {
    expect(plantConfigFromEnv(new Env({}))).toMatchObject({
      host: '127.0.0.1',
      port: 0,
      speed: 1,
      latitudeDeg: 37,
    });
  });

  test('every variable is read', () => {
    const env = new Env({
      PLANT_HOST: '0.0.0.0',
      PLANT_PORT: '1502',
      PLANT_STATE: '/var/lib/plant.json',
      PLANT_WRITES: '/var/lib/writes.jsonl',
      PLANT_TIME_ZONE: 'Asia/Tokyo',
      PLANT_LATITUDE: '-33',
      PLANT_SEED: '9',
      PLANT_SPEED: '60',
      PLANT_START: '2026-06-21T12:00:00Z',
    });
    expect(plantConfigFromEnv(env)).toEqual({
      host: '0.0.0.0',
      port: 1502,
      stateFile: '/var/lib/plant.json',
      writesFile: '/var/lib/writes.jsonl',
      timeZone: 'Asia/Tokyo',
      latitudeDeg: -33,
      seed: 9,
      speed: 60,
      startMs: Date.UTC(2026, 5, 21, 12),
    });
  });

  test.each([
    ['PLANT_PORT', '70000'],
    ['PLANT_TIME_ZONE', 'Mars/Olympus'],
    ['PLANT_LATITUDE', '90'],
    ['PLANT_SPEED', '0'],
    ['PLANT_START', 'noon'],
    ['PLANT_START', '12'],
  ])('the error names %s when it is %s', (name, value) => {
    expect(() => plantConfigFromEnv(new Env({ [name]: value }))).toThrow(`${name} must be`);
  });
});
