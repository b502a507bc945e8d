import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeModel, type ModelValues, modelById } from '@heliograph/device/sunspec';
import { ManualClock, type Running, silentLogger } from '@heliograph/kit';
import modbusSerial from 'modbus-serial';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PlantFacts, type PlantOptions, startPlant } from './start-plant.ts';

const NOON = Date.UTC(2026, 5, 21, 12);
const MIDNIGHT = Date.UTC(2026, 5, 21, 0);

const ModbusClient = modbusSerial.default;
type Client = InstanceType<typeof ModbusClient>;
type Chain = ReadonlyMap<number, ModelValues & { readonly address: number }>;

let folder: string;
const plants: Running<PlantFacts>[] = [];
const clients: Client[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-'));
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close(() => {});
  for (const plant of plants.splice(0)) await plant.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(nowMs: number, options: PlantOptions = {}) {
  const clock = new ManualClock(nowMs);
  const plant = await startPlant({ clock, logger: silentLogger, ...options });
  plants.push(plant);
  return { clock, plant, client: await connect(plant.facts.modbus) };
}

async function connect(address: string): Promise<Client> {
  const [host = '', port] = address.split(':');
  const client = new ModbusClient();
  await client.connectTCP(host, { port: Number(port) });
  client.setID(1);
  clients.push(client);
  return client;
}

/** Walks the chain as the SunSpec Information Model tells: marker, then headers until 0xFFFF. */
async function readChain(client: Client, between: () => void = () => {}): Promise<Chain> {
  const read = async (address: number, count: number) => {
    between();
    return (await client.readHoldingRegisters(address, count)).data;
  };
  expect(await read(40_000, 2)).toEqual([0x5375, 0x6e53]);
  const chain = new Map<number, ModelValues & { readonly address: number }>();
  for (let address = 40_002; ; ) {
    const [id = 0, length = 0] = await read(address, 2);
    if (id === 0xffff) {
      expect(length).toBe(0);
      return chain;
    }
    const registers = await read(address, Math.min(length + 2, 125));
    chain.set(id, { ...decodeModel(modelById(id), registers), address });
    address += length + 2;
  }
}

function number(chain: Chain, model: number, point: string): number {
  const value = chain.get(model)?.points[point];
  if (typeof value !== 'number') throw new Error(`${model}.${point} is ${value}`);
  return value;
}

/** What a monitoring device makes of the registers. */
function powers(chain: Chain) {
  const module = (index: number) => Number(chain.get(160)?.groups[index]?.DCW);
  return {
    pv: module(0) + module(1),
    battery: module(2) - module(3),
    grid: number(chain, 203, 'W'),
    ac: number(chain, 103, 'W'),
  };
}

/** Writes one point and returns the exception code, 0 when it was taken. */
async function write(client: Client, model: number, point: string, raw: number | number[]): Promise<number> {
  const chain = await readChain(client);
  const offset = modelById(model).points.find(({ name }) => name === point)?.offset;
  const address = (chain.get(model)?.address ?? 0) + (offset ?? 0);
  const values = (Array.isArray(raw) ? raw : [raw]).map((value) => value & 0xffff);
  const answer =
    values.length === 1
      ? client.writeRegister(address, values[0] ?? 0)
      : client.writeRegisters(address, values);
  return answer.then(
    () => 0,
    (error: { modbusCode?: number }) => error.modbusCode ?? -1,
  );
}

describe('over Modbus TCP', () => {
  test('the chain names the hybrid inverter and its models', async () => {
    const { client } = await start(NOON);
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
  ])('at %s the battery is %s and every model says so', async (_time, nowMs, _state, chargeState) => {
    const { client } = await start(nowMs);
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
    const { client, clock } = await start(NOON);
    const first = await readChain(client, () => clock.advance(20));
    expect(powers(first).battery).toBe(number(first, 802, 'W'));
    expect(powers(first).pv - powers(first).battery).toBe(number(first, 103, 'DCW'));

    clock.advance(2000);
    const second = await readChain(client, () => clock.advance(20));
    expect(powers(second)).not.toEqual(powers(first));
    expect(powers(second).pv - powers(second).battery).toBe(number(second, 103, 'DCW'));
  });

  test('a client that never pauses still sees time pass', async () => {
    const { client, clock } = await start(NOON);
    const heartbeats = new Set<number>();
    for (let request = 0; request < 100; request++) {
      clock.advance(50);
      heartbeats.add((await client.readHoldingRegisters(40_399 + 18, 1)).data[0] ?? 0);
    }
    expect(heartbeats.size).toBeGreaterThanOrEqual(3);
  });
});

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
    const { client, clock } = await start(nowMs);
    for (const [model, point, raw] of writes) expect(await write(client, model, point, raw)).toBe(0);
    for (const waitMs of [0, 1000, 30_000]) {
      clock.advance(waitMs);
      const now = powers(await readChain(client));
      expect(now).toSatisfy(holds);
    }
  });

  test('falls back when its time-out passes without another write', async () => {
    const { client, clock } = await start(NOON);
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
  ])('refuses %s', async (_name, model, point, raw, code) => {
    const { client } = await start(NOON);
    const before = (await readChain(client)).get(model)?.points[point];
    expect(await write(client, model, point, raw)).toBe(code);
    expect((await readChain(client)).get(model)?.points[point]).toEqual(before);
  });

  test('block is written as a whole or not at all', async () => {
    const { client } = await start(NOON);
    // WMaxLimPct, WinTms, RvrtTms, RmpTms, Ena, as energy managers send them.
    expect(await write(client, 123, 'WMaxLimPct', [4000, 0, 0, 0, 7])).toBe(VALUE);
    expect(number(await readChain(client), 123, 'WMaxLimPct')).toBe(100);
    expect(await write(client, 123, 'WMaxLimPct', [4000, 0, 0, 0, 1])).toBe(0);
    expect(number(await readChain(client), 123, 'WMaxLimPct')).toBe(40);
    expect(number(await readChain(client), 123, 'WMaxLim_Ena')).toBe(1);
  });
});

describe('a request to the wrong place', () => {
  test.each([
    ['a register before the chain', 39_999, 1, 1, 2],
    ['a read across the end of the chain', 40_460, 20, 1, 2],
    ['another unit', 40_000, 2, 5, 11],
  ])('gets an exception for %s', async (_name, address, count, unitId, code) => {
    const { client } = await start(NOON);
    client.setID(unitId);
    await expect(client.readHoldingRegisters(address, count)).rejects.toMatchObject({ modbusCode: code });
  });
});

describe('a restart', () => {
  test('finds charge, counters and settings again, hours later', async () => {
    const stateFile = join(folder, 'plant.json');
    const first = await start(NOON, { stateFile });
    await write(first.client, 124, 'MinRsvPct', 3500);
    for (let minute = 0; minute < 60; minute++) {
      first.clock.advance(60_000);
      await first.client.readHoldingRegisters(40_000, 2);
    }
    const before = await readChain(first.client);
    await first.plant.stop();

    const second = await start(NOON + 10 * 3_600_000, { stateFile });
    const after = await readChain(second.client);
    expect(number(after, 802, 'SoC')).toBeCloseTo(number(before, 802, 'SoC'), 0);
    expect(number(after, 203, 'TotWhImp')).toBe(number(before, 203, 'TotWhImp'));
    expect(number(after, 124, 'MinRsvPct')).toBe(35);
  });

  test('finds a setting again even when the plant was killed right after the write', async () => {
    const stateFile = join(folder, 'plant.json');
    const killed = await start(NOON, { stateFile });
    await write(killed.client, 123, 'WMaxLimPct', 7000);
    const next = await start(NOON, { stateFile });
    expect(number(await readChain(next.client), 123, 'WMaxLimPct')).toBe(70);
  });

  test('ends with a clear line when the state file is something else', async () => {
    const stateFile = join(folder, 'letter.txt');
    writeFileSync(stateFile, 'Dear plant');
    await expect(start(NOON, { stateFile })).rejects.toThrow(
      `PLANT_STATE: ${stateFile} does not hold the state of a simulated plant`,
    );
  });
});

describe("the plant's own time", () => {
  test('can start at any moment and run fast', async () => {
    const { client, clock } = await start(MIDNIGHT, { startMs: NOON, speed: 60 });
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
