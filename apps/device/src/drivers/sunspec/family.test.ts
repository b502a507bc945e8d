import {
  buildChain,
  type ChainLink,
  type RegisterBank,
  recordedBank,
  startRegisterServer,
} from '@heliograph/dev/modbus';
import type { MetricValue } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { modbusTcpBus } from '../../../test/bus/modbus-tcp-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { type Hardware, NotRecognised } from '../driver.ts';
import { sunspec } from './family.ts';

const running: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop();
});

async function open(bank: RegisterBank): Promise<Hardware> {
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
  const bus = modbusTcpBus(server);
  running.push(server, { stop: () => bus.close() });
  return sunspec.open(bus, { unit: 1, options: {} });
}

const openChain = (chain: readonly ChainLink[], base?: number): Promise<Hardware> =>
  open(recordedBank(buildChain(chain, base === undefined ? {} : { base })));

async function read(hardware: Hardware, unit = 0): Promise<Record<string, MetricValue>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}

const COMMON: ChainLink = { id: 1, values: { Mn: 'Maker', Md: 'Model 5', SN: 'S1', Vr: '1.2' } };
const INVERTER: ChainLink = {
  id: 103,
  values: {
    W: 2950,
    W_SF: 0,
    DCW: 3010.6,
    DCW_SF: -1,
    Hz: 50.01,
    Hz_SF: -2,
    St: 4,
    TmpSnk: 41.2,
    Tmp_SF: -1,
  },
};
const METER: ChainLink = { id: 203, values: { W: 420.4, W_SF: -1 } };
const battery = (values: Record<string, number>): ChainLink => ({
  id: 802,
  values: { SoC: 63, SoC_SF: 0, W_SF: 0, A_SF: -1, V: 51.2, V_SF: -1, ...values },
});

describe('discovery of a SunSpec unit', () => {
  it.each([40_000, 50_000, 0])('the chain is found at base %i', async (base) => {
    const hardware = await openChain([COMMON, INVERTER], base);
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'Model 5' }]);
    expect(await read(hardware)).toMatchObject({
      'AC output power': 2950,
      'PV power': 3011,
      'Serial number': 'S1',
    });
  });

  it('unknown models and a common model with or without its pad are skipped', async () => {
    const hardware = await openChain([{ ...COMMON, length: 65 }, { ...INVERTER, at: 41_000 }, METER]);
    expect(await read(hardware)).toMatchObject({ 'AC output power': 2950, 'Grid power': 420 });
  });

  it('a chain of many requests is read', async () => {
    const strings = Array.from({ length: 12 }, (_, index) => ({ ID: index + 1, DCW: 100 + index }));
    const mppt = { id: 160, values: { DCW_SF: 0 }, groups: strings };
    const hardware = await openChain([COMMON, INVERTER, mppt, METER, battery({ W: 0, A: 0 })]);
    expect(await read(hardware)).toMatchObject({ 'PV power 12': 111, 'PV power': 1266, 'Grid power': 420 });
  });

  it('a unit that refuses reads across models is read one model at a time', async () => {
    const { headers, ...chain } = buildChain([COMMON, INVERTER, { id: 123, values: { Conn: 1 } }]);
    const { readRange, write } = recordedBank(chain);
    const hardware = await open({
      readRange: (unit, address, count) => {
        const crosses = headers.some((header) => header > address && header < address + count);
        return crosses ? undefined : readRange(unit, address, count);
      },
      write,
    });
    expect(await read(hardware)).toMatchObject({ 'PV power': 3011, 'Grid connection': 'Connect' });
  });

  it('a chain without an end marker is read', async () => {
    const { registers, ...chain } = buildChain([COMMON, INVERTER]);
    const withoutEnd = new Map([...registers].slice(0, -2));
    expect(await read(await open(recordedBank({ ...chain, registers: withoutEnd })))).toHaveProperty(
      'PV power',
    );
  });

  const endless = (length: number): RegisterBank => ({
    readRange: (_unit, address, count) =>
      Array.from({ length: count }, (_, index) => {
        const at = address + index;
        if (at === 40_000) return 0x5375;
        if (at === 40_001) return 0x6e53;
        return (at - 40_002) % (length + 2) === 0 ? 1 : length;
      }),
    write: () => {},
  });
  const constant = (value: number): RegisterBank => ({
    readRange: (_unit, _address, count) => new Array<number>(count).fill(value),
    write: () => {},
  });

  it.each([
    ['has no marker', constant(7), /no SunSpec marker/],
    ['refuses every register', { readRange: () => undefined, write: () => {} }, /no SunSpec marker/],
    ['has a chain without end', endless(0), /does not end within 100/],
    ['has a chain beyond the last register', endless(60_000), /beyond the last register/],
    ['begins with another model', recordedBank(buildChain([INVERTER])), /not with the common one/],
    ['has a common model alone', recordedBank(buildChain([COMMON])), /measures nothing known/],
  ])('a unit that %s is not recognised', async (_name, bank, message) => {
    const opening = open(bank);
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });
});

describe('powers of a SunSpec inverter', () => {
  it.each([
    {
      given: 'no meter: neither grid nor load',
      chain: [INVERTER],
      expected: { 'PV power': 3011 },
      absent: ['Grid power', 'Load power', 'Battery power'],
    },
    {
      given: 'a meter: the load is what PV and grid give, from rounded values',
      chain: [INVERTER, METER],
      expected: { 'PV power': 3011, 'Grid power': 420, 'Load power': 3431 },
      absent: ['Battery power'],
    },
    {
      given: 'a SolarEdge meter, whose export is positive',
      chain: [{ id: 1, values: { Mn: 'SolarEdge', Opt: 'Export+Import' } }, INVERTER, METER],
      expected: { 'Grid power': -420, 'Load power': 2591 },
      absent: [],
    },
    {
      given: 'a meter of production: not the grid',
      chain: [{ id: 1, values: { Mn: 'SolarEdge', Opt: 'Production' } }, INVERTER, METER],
      expected: { 'PV power': 3011 },
      absent: ['Grid power', 'Load power'],
    },
    {
      given: 'float models',
      chain: [
        { id: 113, values: { W: 900.4, DCW: 931.5, Hz: 49.98 } },
        { id: 213, values: { W: -120.25 } },
      ],
      expected: { 'AC output power': 900, 'PV power': 932, 'Grid power': -120, 'Load power': 812 },
      absent: [],
    },
    {
      given: 'no DC power: AC power stands in, and never below zero',
      chain: [{ id: 101, values: { W: -4, W_SF: 0 } }],
      expected: { 'AC output power': -4, 'PV power': 0 },
      absent: [],
    },
    {
      given: 'a battery that charges and counts that as negative',
      chain: [INVERTER, METER, battery({ W: -800, A: -15.6, ChaSt: 4 })],
      expected: { 'Battery power': 800, 'Load power': 2631 },
      absent: [],
    },
    {
      given: 'a battery that discharges and counts that as negative',
      chain: [INVERTER, METER, battery({ W: -800, A: -15.6, ChaSt: 3 })],
      expected: { 'Battery power': -800, 'Load power': 4231 },
      absent: [],
    },
    {
      given: 'a battery that does not tell its direction: unknown, and so is the load',
      chain: [INVERTER, METER, battery({ W: -800, A: -15.6 })],
      expected: { 'Battery power': null, 'Load power': null },
      absent: [],
    },
    {
      given: 'two batteries',
      chain: [INVERTER, battery({ W: 500, ChaSt: 4 }), battery({ W: 300, ChaSt: 3 })],
      expected: { 'Battery power': 200 },
      absent: ['Load power'],
    },
    {
      given: 'storage of IEEE 1547, whose power is nowhere',
      chain: [INVERTER, METER, { id: 713, values: { SoC: 50, Pct_SF: 0 } }],
      expected: { 'Battery power': null, 'Load power': null },
      absent: [],
    },
    {
      given: 'PV ports of model 714',
      chain: [
        { id: 701, values: { W: 1900, W_SF: 0 } },
        {
          id: 714,
          values: { DCW_SF: 0, DCV_SF: 0 },
          groups: [
            { PrtTyp: 0, DCW: 1500, DCV: 400 },
            { PrtTyp: 0, DCW: 450, DCV: 380 },
          ],
        },
      ],
      expected: { 'AC output power': 1900, 'PV power': 1950, 'PV power 2': 450, 'PV voltage 1': 400 },
      absent: ['Battery power'],
    },
  ])('$given', async ({ chain, expected, absent }) => {
    const hardware = await openChain([COMMON, ...chain]);
    const reading = await read(hardware);
    const names = hardware.units[0]?.quantities.map(({ name }) => name);
    expect(reading).toMatchObject(expected);
    for (const name of absent) expect(names).not.toContain(name);
  });
});

describe('batteries of a SunSpec inverter', () => {
  it('model 802 is a battery whose charge state determines the sign', async () => {
    const hardware = await openChain([
      COMMON,
      INVERTER,
      battery({ W: 510, A: 10, ChaSt: 3, AHRtg: 100, AHRtg_SF: 0 }),
    ]);
    expect(hardware.units[1]?.kind).toBe('batteries');
    expect(await read(hardware, 1)).toEqual({
      'State of charge': 63,
      Voltage: 51.2,
      'Charge state': 'Discharging',
      Capacity: 100,
      Power: -510,
      Current: -10,
    });
  });

  it('a battery at rest has the sign that it used before', async () => {
    const { registers, headers, ...chain } = buildChain([COMMON, INVERTER, battery({ W: -510, ChaSt: 4 })]);
    const live = new Map(registers);
    const hardware = await open(recordedBank({ ...chain, registers: live }));
    expect(await read(hardware, 1)).toMatchObject({ Power: 510 });

    const HOLDING = 6;
    live.set((headers[2] ?? 0) + 16, HOLDING).set((headers[2] ?? 0) + 47, 0x10000 - 20);
    expect(await read(hardware, 1)).toMatchObject({ 'Charge state': 'Holding', Power: 20 });
  });

  it.each([
    [
      'model 124',
      { id: 124, values: { ChaState: 47.5, ChaState_SF: -1, ChaSt: 4 } },
      { 'State of charge': 48, 'Charge state': 'Charging' },
    ],
    [
      'model 713',
      { id: 713, values: { SoC: 47, SoH: 99, Pct_SF: 0 } },
      { 'State of charge': 47, 'State of health': 99 },
    ],
  ])('%s is the battery where no better model exists', async (_name, model, expected) => {
    const hardware = await openChain([COMMON, INVERTER, model]);
    expect(hardware.units.map(({ kind }) => kind)).toEqual(['inverters', 'batteries']);
    expect(await read(hardware, 1)).toMatchObject(expected);
  });

  it('model 124 without a state of charge is no battery', async () => {
    const hardware = await openChain([
      COMMON,
      INVERTER,
      { id: 124, values: { WChaMax: 5000, WChaMax_SF: 0 } },
    ]);
    expect(hardware.units.map(({ kind }) => kind)).toEqual(['inverters']);
  });
});

describe('unimplemented points of a SunSpec device', () => {
  it('an unimplemented point is no quantity', async () => {
    const hardware = await openChain([COMMON, { id: 103, values: { W: 1, W_SF: 0 } }]);
    const names = hardware.units[0]?.quantities.map(({ name }) => name);
    expect(names).not.toContain('Grid frequency');
    expect(names).not.toContain('Device mode');
  });

  it('a point that becomes unimplemented is null, and values follow their scale factor', async () => {
    const { registers, headers, ...chain } = buildChain([COMMON, INVERTER]);
    const live = new Map(registers);
    const hardware = await open(recordedBank({ ...chain, registers: live }));
    const inverter = headers[1] ?? 0;

    live.set(inverter + 15, 1).set(inverter + 16, 0xffff);
    expect(await read(hardware)).toMatchObject({ 'AC output power': 29_500, 'Grid frequency': null });
  });

  it('the hardware needs to be reopened when a sleeping inverter implements more points', async () => {
    const strings = { id: 160, values: { DCW_SF: 0 }, groups: [{ ID: 1, DCW: 500 }] };
    const { registers, headers, ...chain } = buildChain([COMMON, INVERTER, strings]);
    const live = new Map(registers);
    const power = (headers[2] ?? 0) + 10 + 11;
    expect(live.get(power)).toBe(500);
    live.set(power, 0xffff);
    const bank = recordedBank({ ...chain, registers: live });
    const asleep = await open(bank);
    await asleep.poll();
    expect(asleep.needsReopen).toBe(false);
    live.set(power, 500);
    expect(await read(asleep)).not.toHaveProperty('PV power 1');
    expect(asleep.needsReopen).toBe(true);
    const awake = await open(bank);
    expect(await read(awake)).toMatchObject({ 'PV power 1': 500 });
    expect(awake.needsReopen).toBe(false);
  });

  it('a model that refuses to be read leaves out its own values alone', async () => {
    const { registers, headers, ...chain } = buildChain([COMMON, INVERTER, METER]);
    const live = new Map(registers);
    const hardware = await open(recordedBank({ ...chain, registers: live }));
    live.delete((headers[2] ?? 0) + 20);
    const reading = await read(hardware);
    expect(reading).toMatchObject({ 'PV power': 3011 });
    expect(reading).not.toHaveProperty('Grid power');
    expect(reading).not.toHaveProperty('Load power');
  });

  it('a poll fails when other models stand at the known addresses', async () => {
    const { registers, headers, ...chain } = buildChain([COMMON, INVERTER]);
    const live = new Map(registers);
    const hardware = await open(recordedBank({ ...chain, registers: live }));
    live.set(headers[1] ?? 0, 113);
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
  });
});
