import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Chain,
  MIDNIGHT,
  NOON,
  number,
  powers,
  readChain,
  startTestPlant,
  stopPlants,
  temporaryFile,
  write,
} from './testing/plant-client.ts';
import { readWrites } from './write-log.ts';

afterEach(stopPlants);

describe('the plant over Modbus TCP', () => {
  test('the chain names the hybrid inverter and its models', async () => {
    const { client } = await startTestPlant(NOON);
    const chain = await readChain(client);
    expect([...chain.keys()]).toEqual([1, 103, 120, 123, 124, 160, 203, 802]);
    expect(chain.get(1)?.points).toMatchObject({
      Mn: 'Heliograph',
      Md: 'Simulated Hybrid 6k',
      SN: 'HG6K-00000001',
    });
    expect(chain.get(160)?.groups.map(({ IDStr }) => IDStr)).toEqual([
      'MPPT 1',
      'MPPT 2',
      'StCha 3',
      'StDisCha 4',
    ]);
    expect(number(chain, 120, 'WRtg')).toBe(6000);
  });

  test.each([
    ['noon', NOON, 'charging', 4],
    ['midnight', MIDNIGHT, 'discharging', 3],
  ])('all models agree that at %s the battery is %s', async (_time, nowMs, _state, chargeState) => {
    const { client } = await startTestPlant(nowMs);
    const chain = await readChain(client);
    const { pv, battery } = powers(chain);
    expect(pv > 0).toBe(nowMs === NOON);
    expect(Math.sign(battery)).toBe(chargeState === 4 ? 1 : -1);
    expect(number(chain, 802, 'W')).toBe(battery);
    expect(Math.sign(number(chain, 802, 'A'))).toBe(Math.sign(battery));
    expect(number(chain, 802, 'A') * number(chain, 802, 'V')).toBeCloseTo(battery, -1);
    expect(number(chain, 802, 'ChaSt')).toBe(chargeState);
    expect(number(chain, 124, 'ChaSt')).toBe(chargeState);
    expect(number(chain, 124, 'ChaState')).toBeCloseTo(number(chain, 802, 'SoC'), 0);
  });

  test('one poll of many requests sees one instant, the next poll another', async () => {
    const { client, clock } = await startTestPlant(NOON);
    const first = await readChain(client, () => clock.advance(20));
    expect(powers(first).battery).toBe(number(first, 802, 'W'));
    expect(powers(first).pv - powers(first).battery).toBe(number(first, 103, 'DCW'));

    clock.advance(2000);
    const second = await readChain(client, () => clock.advance(20));
    expect(powers(second)).not.toEqual(powers(first));
    expect(powers(second).pv - powers(second).battery).toBe(number(second, 103, 'DCW'));
  });

  test('a client that never pauses reads new instants', async () => {
    const { client, clock } = await startTestPlant(NOON);
    const heartbeat = ((await readChain(client)).get(802)?.address ?? 0) + 18;
    const heartbeats = new Set<number>();
    for (let request = 0; request < 100; request++) {
      clock.advance(50);
      heartbeats.add((await client.readHoldingRegisters(heartbeat, 1)).data[0] ?? 0);
    }
    expect(heartbeats.size).toBeGreaterThanOrEqual(3);
  });
});

describe('an invalid request to the plant', () => {
  test.each([
    ['a register before the chain', 39_999, 1, 1, 2],
    ['a read across the end of the chain', 40_530, 20, 1, 2],
    ['another unit', 40_000, 2, 5, 11],
  ])('a request for %s gets an exception', async (_name, address, count, unitId, code) => {
    const { client } = await startTestPlant(NOON);
    client.setID(unitId);
    await expect(client.readHoldingRegisters(address, count)).rejects.toMatchObject({ modbusCode: code });
  });
});

describe('a restart of the plant', () => {
  test('charge, counters and settings survive a restart hours later', async () => {
    const stateFile = temporaryFile('plant.json');
    const first = await startTestPlant(NOON, { stateFile });
    await write(first.client, 124, 'MinRsvPct', 3500);
    for (let minute = 0; minute < 60; minute++) {
      first.clock.advance(60_000);
      await first.client.readHoldingRegisters(40_000, 2);
    }
    const before = await readChain(first.client);
    await first.plant.stop();

    const second = await startTestPlant(NOON + 10 * 3_600_000, { stateFile });
    const after = await readChain(second.client);
    expect(number(after, 802, 'SoC')).toBeCloseTo(number(before, 802, 'SoC'), 0);
    expect(number(after, 203, 'TotWhImp')).toBe(number(before, 203, 'TotWhImp'));
    expect(number(after, 124, 'MinRsvPct')).toBe(35);
  });

  test('a setting survives a kill right after its write', async () => {
    const stateFile = temporaryFile('plant.json');
    const killed = await startTestPlant(NOON, { stateFile });
    await write(killed.client, 123, 'WMaxLimPct', 7000);
    const next = await startTestPlant(NOON, { stateFile });
    expect(number(await readChain(next.client), 123, 'WMaxLimPct')).toBe(70);
  });

  test('the start fails with a clear message when the state file is invalid', async () => {
    const stateFile = temporaryFile('letter.txt');
    writeFileSync(stateFile, 'Dear plant');
    await expect(startTestPlant(NOON, { stateFile })).rejects.toThrow(
      `PLANT_STATE: ${stateFile} does not hold the state of a simulated plant`,
    );
  });
});

test('every accepted write is logged once, and no other', async () => {
  const writesFile = temporaryFile('writes.jsonl');
  const { client } = await startTestPlant(NOON, { writesFile });
  await write(client, 124, 'MinRsvPct', 3500);
  await write(client, 124, 'MinRsvPct', 3500);
  expect(await write(client, 124, 'MinRsvPct', 10_100)).not.toBe(0);
  await write(client, 124, 'InWRte', -4000);
  expect(readWrites(writesFile)).toEqual([
    { at: NOON, changes: { MinRsvPct: 35 } },
    { at: NOON, changes: { MinRsvPct: 35 } },
    { at: NOON, changes: { InWRte: -40 } },
  ]);
});

describe("the plant's own time", () => {
  test('the plant starts at a given time and runs at a given speed', async () => {
    const { client, clock } = await startTestPlant(MIDNIGHT, { startMs: NOON, speed: 60 });
    const noon = await readChain(client);
    expect(powers(noon).pv).toBeGreaterThan(500);
    for (let seconds = 0; seconds < 720; seconds += 2) {
      clock.advance(2000);
      await client.readHoldingRegisters(40_000, 2);
    }
    const midnight = await readChain(client);
    expect(powers(midnight).pv).toBe(0);
    const module = (chain: Chain) => chain.get(160)?.groups[0];
    expect(Number(module(midnight)?.Tms) - Number(module(noon)?.Tms)).toBe(12 * 3600);
    expect(Number(module(midnight)?.DCWH)).toBeGreaterThan(Number(module(noon)?.DCWH) + 5000);
  });
});
