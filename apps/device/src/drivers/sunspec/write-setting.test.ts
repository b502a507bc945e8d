import {
  buildChain,
  type FaultyLink,
  ModbusRefusal,
  type RegisterBank,
  recordedBank,
  startFaultyLink,
  startRegisterServer,
} from '@heliograph/dev-env/modbus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { modbusTcpBus } from '../../bus/testing/modbus-tcp-bus.ts';
import { type Hardware, RejectedByHardware } from '../driver.ts';
import { sunspec } from './family.ts';

const REQUEST_TIMEOUT_MS = 500;

const chain = buildChain([
  { id: 1, values: { Mn: 'Maker', Md: 'Hybrid' } },
  { id: 103, values: { W: 100, W_SF: 0, St: 4 } },
  {
    id: 123,
    values: { Conn: 1, WMaxLimPct: 80, WMaxLimPct_SF: -1, WMaxLim_Ena: 0 },
  },
  {
    id: 124,
    values: {
      StorCtl_Mod: 0,
      MinRsvPct: 10,
      MinRsvPct_SF: 0,
      ChaState: 50,
      ChaState_SF: 0,
      OutWRte: 100,
      InWRte: 100,
      InOutWRte_SF: -2,
      ChaGriSet: 0,
    },
  },
]);
const CONTROLS = chain.headers[2] ?? 0;
const STORAGE = chain.headers[3] ?? 0;
const REGISTER = {
  limit: CONTROLS + 5,
  limitEnabled: CONTROLS + 9,
  mode: STORAGE + 5,
  reserve: STORAGE + 7,
  discharge: STORAGE + 12,
  limitScale: CONTROLS + 23,
};

let registers: Map<number, number>;
let writes: [address: number, values: readonly number[]][];
/** The inverter's reaction to a write; by default it stores the values. */
let take: RegisterBank['write'];
/** Called with every read, before it is answered. */
let onRead: () => void;
let link: FaultyLink;
let bus: ModbusBus;
let hardware: Hardware;
let stopServer: () => Promise<void>;

const store = (address: number, values: readonly number[]): void => {
  for (const [index, value] of values.entries()) registers.set(address + index, value);
};

beforeEach(async () => {
  registers = new Map(chain.registers);
  writes = [];
  take = (_unit, address, values) => store(address, values);
  onRead = () => {};
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (...range) => {
      onRead();
      return recordedBank({ unitId: 1, registers }).readRange(...range);
    },
    write: (unit, address, values) => {
      writes.push([address, values]);
      take(unit, address, values);
    },
  });
  link = await startFaultyLink(server);
  bus = modbusTcpBus({ host: link.host, port: link.port, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  hardware = await sunspec.open(bus, { unit: 1, options: {} });
  stopServer = () => server.stop();
});

afterEach(async () => {
  await bus.close();
  await link.stop();
  await stopServer();
});

describe('writeSetting of a SunSpec inverter', () => {
  it('settings are offered with the values in force', async () => {
    const [reading] = await hardware.poll();
    const settings = hardware.units[0]?.quantities.filter(({ group }) => group === 'Settings') ?? [];
    expect(Object.fromEntries(settings.map(({ name }) => [name, reading?.get(name)]))).toEqual({
      'Active power limit': 100,
      'Grid connection': 'Connect',
      'Storage control mode': 'Automatic',
      'Max charge rate': 100,
      'Max discharge rate': 100,
      'Battery reserve': 10,
      'Grid charge': 'Disabled',
    });
  });

  it.each([
    [
      'Active power limit',
      60,
      [
        [REGISTER.limit, [600]],
        [REGISTER.limitEnabled, [1]],
      ],
    ],
    ['Grid connection', 'Disconnect', [[CONTROLS + 4, [0]]]],
    ['Storage control mode', 'Limit both', [[REGISTER.mode, [3]]]],
    ['Max charge rate', 25, [[STORAGE + 13, [2500]]]],
    ['Max discharge rate', -30, [[REGISTER.discharge, [0x10000 - 3000]]]],
    ['Battery reserve', 20, [[REGISTER.reserve, [20]]]],
    ['Grid charge', 'Enabled', [[STORAGE + 17, [1]]]],
  ])('%s = %s is written, value first, and read back', async (name, value, expected) => {
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(writes).toEqual(expected);
    expect((await hardware.poll())[0]?.get(name)).toBe(value);
  });

  it('a written value follows the present scale factor', async () => {
    registers.set(REGISTER.limitScale, 0);
    expect(await hardware.write(0, 'Active power limit', 60)).toBe(60);
    expect(writes[0]).toEqual([REGISTER.limit, [60]]);
  });

  it('a setting whose point is unimplemented is not offered', async () => {
    const bare = buildChain([{ id: 1, values: {} }, { id: 103 }, { id: 123, values: { Conn: 1 } }]);
    registers = new Map(bare.registers);
    const { units } = await sunspec.open(bus, { unit: 1, options: {} });
    const names = units[0]?.quantities.filter(({ setting }) => setting !== undefined).map(({ name }) => name);
    expect(names).toEqual(['Grid connection']);
  });

  it('settings of model 704 replace those of model 123', async () => {
    const der = buildChain([
      { id: 1, values: {} },
      { id: 701, values: { W: 5, W_SF: 0 } },
      { id: 704, values: { WMaxLimPct: 100, WMaxLimPct_SF: 0, WMaxLimPctEna: 1 } },
    ]);
    registers = new Map(der.registers);
    expect(await (await sunspec.open(bus, { unit: 1, options: {} })).write(0, 'Active power limit', 70)).toBe(
      70,
    );
    expect(writes).toEqual([
      [(der.headers[2] ?? 0) + 15, [70]],
      [(der.headers[2] ?? 0) + 14, [1]],
    ]);
  });
});

describe('a SunSpec inverter that does not accept a value', () => {
  it('a refusal rejects with the reason', async () => {
    take = () => {
      throw new Error('menu option is off');
    };
    const writing = hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow(
      'the inverter refused 30 for Battery reserve: the unit refuses this value',
    );
    expect(writes).toHaveLength(1);
  });

  it('a write that leaves the old value rejects', async () => {
    take = () => {};
    const writing = hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('kept Battery reserve at 10 and did not take 30');
  });

  it('a refused enable point rejects, with the value noted', async () => {
    take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new ModbusRefusal(4);
      store(address, values);
    };
    const writing = hardware.write(0, 'Active power limit', 50);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow(
      'the inverter noted 50 and refused to put it in force: the unit failed to carry out the request',
    );
  });

  it('a refused enable point is ignored while the limit is in force', async () => {
    registers.set(REGISTER.limitEnabled, 1);
    take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new Error('enabled already');
      store(address, values);
    };
    expect(await hardware.write(0, 'Active power limit', 50)).toBe(50);
  });

  it('a value that the scaled register cannot hold is not written', async () => {
    registers.set(REGISTER.limitScale, 0x10000 - 3);
    const writing = hardware.write(0, 'Active power limit', 90);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('the inverter cannot hold 90 for Active power limit');
    expect(writes).toEqual([]);
  });

  it('a value that the inverter chose itself is returned', async () => {
    take = (_unit, address) => store(address, [15]);
    expect(await hardware.write(0, 'Battery reserve', 3)).toBe(15);
  });

  it('a value that takes effect after two reads is returned', async () => {
    take = (_unit, address, values) => {
      let reads = 0;
      onRead = () => {
        reads += 1;
        if (reads === 2) store(address, values);
      };
    };
    expect(await hardware.write(0, 'Battery reserve', 30)).toBe(30);
  });
});

describe('writeSetting of a SunSpec inverter over a bad link', () => {
  it.each(['cut', 'silent'] as const)(
    'a fault (%s) of the answer leaves the outcome unknown, and the value is written once',
    async (fault) => {
      take = (_unit, address, values) => {
        store(address, values);
        link.behave(fault, 1);
      };
      await expect(hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(WriteUnanswered);
      expect(writes).toEqual([[REGISTER.reserve, [30]]]);
    },
  );

  it('a write that is aborted while it is queued writes nothing', async () => {
    const caller = new AbortController();
    let others: Promise<unknown> | undefined;
    onRead = () => {
      // The first read is that of the write; another request is then queued before the write itself.
      if (others === undefined) others = bus.read(1, 40_000, 2);
      else caller.abort();
    };
    const writing = hardware.write(0, 'Battery reserve', 30, caller.signal);
    await expect(writing).rejects.toThrow(LinkDown);
    await others;
    expect(writes).toEqual([]);
  });

  it('a link that breaks before the write writes nothing', async () => {
    link.behave('hang up');
    link.breakConnections();
    await expect(hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(LinkDown);
    expect(writes).toEqual([]);
  });

  it('a model that disappears after the write leaves the outcome unknown', async () => {
    take = (_unit, address, values) => {
      store(address, values);
      registers.set(STORAGE, 9999);
    };
    await expect(hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(WriteUnanswered);
    expect(writes).toHaveLength(1);
  });

  it('a link that breaks before the enable point leaves the outcome unknown', async () => {
    const NO_PATH = 10;
    take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new ModbusRefusal(NO_PATH);
      store(address, values);
    };
    await expect(hardware.write(0, 'Active power limit', 50)).rejects.toThrow(WriteUnanswered);
    expect(writes).toEqual([
      [REGISTER.limit, [500]],
      [REGISTER.limitEnabled, [1]],
    ]);
  });
});

describe('a SunSpec device that vanishes during a poll', () => {
  it('the device is down, and is read again when it is back', async () => {
    link.behave('hang up');
    link.breakConnections();
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    link.behave('none');
    await expect
      .poll(async () => (await hardware.poll())[0]?.get('AC output power'), {
        timeout: 5_000,
      })
      .toBe(100);
  });

  it.each(['cut', 'garbage', 'silent'] as const)(
    'a poll with the fault %s fails as a whole',
    async (fault) => {
      link.behave(fault);
      await expect(hardware.poll()).rejects.toThrow(LinkDown);
    },
  );
});
