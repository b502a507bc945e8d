import { afterEach, describe, expect, test } from 'vitest';
import {
  MIDNIGHT,
  NOON,
  number,
  powers,
  readChain,
  startTestPlant,
  stopPlants,
  write,
} from './testing/plant-client.ts';

afterEach(stopPlants);

describe('a setting', () => {
  test.each<
    [
      string,
      number,
      readonly (readonly [number, string, number])[],
      (p: ReturnType<typeof powers>) => boolean,
    ]
  >([
    [
      'WMaxLimPct caps the AC output once it is enabled',
      NOON,
      [
        [124, 'InWRte', 0],
        [124, 'StorCtl_Mod', 1],
        [123, 'WMaxLimPct', 2000],
        [123, 'WMaxLim_Ena', 1],
      ],
      ({ ac, battery, pv }) => ac <= 1200 && ac >= 1198 && battery === 0 && pv < 1300,
    ],
    [
      'WMaxLimPct does nothing while it is disabled',
      NOON,
      [
        [124, 'InWRte', 0],
        [124, 'StorCtl_Mod', 1],
        [123, 'WMaxLimPct', 2000],
      ],
      ({ ac }) => ac > 2500,
    ],
    [
      'Conn takes the inverter off the grid',
      NOON,
      [[123, 'Conn', 0]],
      ({ ac, pv, battery, grid }) => ac === 0 && pv === 0 && battery === 0 && grid > 0,
    ],
    [
      'OutWRte 0 holds the battery',
      MIDNIGHT,
      [
        [124, 'OutWRte', 0],
        [124, 'StorCtl_Mod', 2],
      ],
      ({ battery, grid }) => battery === 0 && grid > 150,
    ],
    [
      'OutWRte 1 % leaves 50 W of discharge',
      MIDNIGHT,
      [
        [124, 'OutWRte', 100],
        [124, 'StorCtl_Mod', 2],
      ],
      ({ battery }) => battery === -50,
    ],
    [
      'InWRte 10 % leaves 500 W of charge',
      NOON,
      [
        [124, 'InWRte', 1000],
        [124, 'StorCtl_Mod', 1],
      ],
      ({ battery }) => battery === 500,
    ],
    [
      'a negative OutWRte with ChaGriSet charges from the grid at night',
      MIDNIGHT,
      [
        [124, 'ChaGriSet', 1],
        [124, 'OutWRte', -5000],
        [124, 'StorCtl_Mod', 2],
      ],
      ({ battery, grid, pv }) => battery === 2500 && grid > 2500 && pv === 0,
    ],
    [
      'without ChaGriSet it charges from nothing',
      MIDNIGHT,
      [
        [124, 'OutWRte', -5000],
        [124, 'StorCtl_Mod', 2],
      ],
      ({ battery }) => battery === 0,
    ],
    [
      'MinRsvPct keeps a reserve',
      MIDNIGHT,
      [[124, 'MinRsvPct', 10_000]],
      ({ battery, grid }) => battery === 0 && grid > 150,
    ],
  ])('%s', async (_name, nowMs, writes, holds) => {
    const { client, clock } = await startTestPlant(nowMs);
    for (const [model, point, raw] of writes) expect(await write(client, model, point, raw)).toBe(0);
    for (const waitMs of [0, 1000, 30_000]) {
      clock.advance(waitMs);
      const now = powers(await readChain(client));
      expect(now).toSatisfy(holds);
    }
  });

  test('a setting falls back when its time-out passes without another write', async () => {
    const { client, clock } = await startTestPlant(NOON);
    await write(client, 123, 'WMaxLimPct_RvrtTms', 60);
    await write(client, 123, 'WMaxLim_Ena', 1);
    clock.advance(59_000);
    await write(client, 123, 'WMaxLimPct', 5000);
    clock.advance(59_000);
    expect(number(await readChain(client), 123, 'WMaxLim_Ena')).toBe(1);
    clock.advance(1_000);
    expect(number(await readChain(client), 123, 'WMaxLim_Ena')).toBe(0);
  });

  const ADDRESS = 2;
  const VALUE = 3;
  test.each([
    ['a measured value', 103, 'W', 0, ADDRESS],
    ['a rating', 120, 'WRtg', 7000, ADDRESS],
    ['the manufacturer', 1, 'Mn', 0x4141, ADDRESS],
    ["the battery's own operation", 802, 'SetOp', 2, ADDRESS],
    ['a point that is not implemented', 123, 'OutPFSet_WinTms', 1, ADDRESS],
    ['a limit of more than 100 %', 123, 'WMaxLimPct', 10_001, VALUE],
    ['a connection that is neither', 123, 'Conn', 2, VALUE],
    ['a fifth storage mode', 124, 'StorCtl_Mod', 4, VALUE],
    ['a rate below -100 %', 124, 'OutWRte', -10_001, VALUE],
    ['"not implemented" as a value', 124, 'MinRsvPct', 0xffff, VALUE],
    ['a ramp', 123, 'WMaxLimPct_RmpTms', 5, VALUE],
  ])('a write of %s is refused', async (_name, model, point, raw, code) => {
    const { client } = await startTestPlant(NOON);
    const before = (await readChain(client)).get(model)?.points[point];
    expect(await write(client, model, point, raw)).toBe(code);
    expect((await readChain(client)).get(model)?.points[point]).toEqual(before);
  });

  test('a block of settings is written as a whole or not at all', async () => {
    const { client } = await startTestPlant(NOON);
    // WMaxLimPct, WinTms, RvrtTms, RmpTms, Ena, as energy managers send them.
    expect(await write(client, 123, 'WMaxLimPct', [4000, 0, 0, 0, 7])).toBe(VALUE);
    expect(number(await readChain(client), 123, 'WMaxLimPct')).toBe(100);
    expect(await write(client, 123, 'WMaxLimPct', [4000, 0, 0, 0, 1])).toBe(0);
    expect(number(await readChain(client), 123, 'WMaxLimPct')).toBe(40);
    expect(number(await readChain(client), 123, 'WMaxLim_Ena')).toBe(1);
  });
});
