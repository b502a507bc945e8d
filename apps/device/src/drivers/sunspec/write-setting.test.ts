import { buildChain, ModbusRefusal } from '@heliograph/dev/modbus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  REGISTER,
  type SettableInverter,
  startSettableInverter,
} from '../../../test/drivers/sunspec/settable-inverter.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';
import { sunspec } from './family.ts';

let inverter: SettableInverter;
beforeEach(async () => {
  inverter = await startSettableInverter();
});
afterEach(() => inverter.stop());

describe('writeSetting of a SunSpec inverter', () => {
  it('settings are offered with the values in force', async () => {
    const [reading] = await inverter.hardware.poll();
    const settings = inverter.hardware.units[0]?.quantities.filter(({ group }) => group === 'Settings') ?? [];
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
    ['Grid connection', 'Disconnect', [[REGISTER.connection, [0]]]],
    ['Storage control mode', 'Limit both', [[REGISTER.mode, [3]]]],
    ['Max charge rate', 25, [[REGISTER.charge, [2500]]]],
    ['Max discharge rate', -30, [[REGISTER.discharge, [0x10000 - 3000]]]],
    ['Battery reserve', 20, [[REGISTER.reserve, [20]]]],
    ['Grid charge', 'Enabled', [[REGISTER.gridCharge, [1]]]],
  ])('%s = %s is written, value first, and read back', async (name, value, expected) => {
    expect(await inverter.hardware.write(0, name, value)).toBe(value);
    expect(inverter.writes).toEqual(expected);
    expect(inverter.reads, 'one read-back confirms it').toBe(1);
    expect((await inverter.hardware.poll())[0]?.get(name)).toBe(value);
  });

  it('a mode without a name is shown by its number and offered once the inverter is opened again', async () => {
    const modeOf = async (hardware = inverter.hardware) =>
      (await hardware.poll())[0]?.get('Storage control mode');
    inverter.registers.set(REGISTER.mode, 6);
    expect(await modeOf()).toBe('Unknown (6)');
    expect(inverter.hardware.needsReopen).toBe(true);
    const reopened = await sunspec.open(inverter.bus, { unit: 1, options: {} });
    expect(await modeOf(reopened)).toBe('Unknown (6)');
    expect(reopened.needsReopen).toBe(false);
    expect(await reopened.write(0, 'Storage control mode', 'Automatic')).toBe('Automatic');
  });

  it('a written value follows the present scale factor', async () => {
    inverter.registers.set(REGISTER.limitScale, 0);
    expect(await inverter.hardware.write(0, 'Active power limit', 60)).toBe(60);
    expect(inverter.writes[0]).toEqual([REGISTER.limit, [60]]);
  });

  it('a setting whose point is unimplemented is not offered', async () => {
    const bare = buildChain([{ id: 1, values: {} }, { id: 103 }, { id: 123, values: { Conn: 1 } }]);
    inverter.registers = new Map(bare.registers);
    const { units } = await sunspec.open(inverter.bus, { unit: 1, options: {} });
    const names = units[0]?.quantities.filter(({ setting }) => setting !== undefined).map(({ name }) => name);
    expect(names).toEqual(['Grid connection']);
  });

  it('settings of model 704 replace those of model 123', async () => {
    const der = buildChain([
      { id: 1, values: {} },
      { id: 701, values: { W: 5, W_SF: 0 } },
      { id: 704, values: { WMaxLimPct: 100, WMaxLimPct_SF: 0, WMaxLimPctEna: 1 } },
    ]);
    inverter.registers = new Map(der.registers);
    expect(
      await (await sunspec.open(inverter.bus, { unit: 1, options: {} })).write(0, 'Active power limit', 70),
    ).toBe(70);
    expect(inverter.writes).toEqual([
      [(der.headers[2] ?? 0) + 15, [70]],
      [(der.headers[2] ?? 0) + 14, [1]],
    ]);
  });
});

describe('a SunSpec inverter that does not accept a value', () => {
  it('a refusal rejects with the reason', async () => {
    inverter.take = () => {
      throw new Error('menu option is off');
    };
    const writing = inverter.hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toMatchObject({
      message: 'the inverter refused 30 for Battery reserve: the unit refuses this value',
      cause: expect.any(ModbusException),
    });
    expect(inverter.writes).toHaveLength(1);
  });

  it('a write that leaves the old value rejects', async () => {
    inverter.take = () => {};
    const writing = inverter.hardware.write(0, 'Battery reserve', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('kept Battery reserve at 10 and did not take 30');
    expect(inverter.writes).toHaveLength(1);
    expect(inverter.reads).toBe(READ_BACK_AT_MS.length);
  });

  it('a refused enable point rejects, with the value noted', async () => {
    inverter.take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new ModbusRefusal(4);
      inverter.store(address, values);
    };
    const writing = inverter.hardware.write(0, 'Active power limit', 50);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toMatchObject({
      message:
        'the inverter noted 50 and refused to put it in force: the unit failed to carry out the request',
      cause: expect.any(ModbusException),
    });
  });

  it('a refused enable point is ignored while the limit is in force', async () => {
    inverter.registers.set(REGISTER.limitEnabled, 1);
    inverter.take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new Error('enabled already');
      inverter.store(address, values);
    };
    expect(await inverter.hardware.write(0, 'Active power limit', 50)).toBe(50);
  });

  it('a value that the scaled register cannot hold is not written', async () => {
    inverter.registers.set(REGISTER.limitScale, 0x10000 - 3);
    const writing = inverter.hardware.write(0, 'Active power limit', 90);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toMatchObject({
      message: 'the inverter cannot hold 90 for Active power limit',
      cause: expect.any(RangeError),
    });
    expect(inverter.writes).toEqual([]);
  });

  it('a text that is no option is not written', async () => {
    const writing = inverter.hardware.write(0, 'Grid connection', 'Sometimes');
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('the inverter cannot hold Sometimes for Grid connection');
    expect(inverter.writes).toEqual([]);
  });

  it('a value that the inverter chose itself is returned', async () => {
    inverter.take = (_unit, address) => inverter.store(address, [15]);
    expect(await inverter.hardware.write(0, 'Battery reserve', 3)).toBe(15);
  });
});

describe('writeSetting of a SunSpec inverter over a bad link', () => {
  it.each(['cut', 'silent'] as const)(
    'a value whose answer has a fault (%s) is read back, and written once',
    async (fault) => {
      inverter.take = (_unit, address, values) => {
        inverter.store(address, values);
        inverter.link.behave(fault, 1);
      };
      expect(await inverter.hardware.write(0, 'Battery reserve', 30)).toBe(30);
      expect(inverter.writes).toEqual([[REGISTER.reserve, [30]]]);
    },
  );

  it('a write that is aborted while it is queued writes nothing', async () => {
    const caller = new AbortController();
    let others: Promise<unknown> | undefined;
    inverter.onRead = () => {
      // The first read is that of the write; another request is then queued before the write itself.
      if (others === undefined) others = inverter.bus.read(1, 40_000, 2);
      else caller.abort();
    };
    const writing = inverter.hardware.write(0, 'Battery reserve', 30, caller.signal);
    await expect(writing).rejects.toThrow(LinkDown);
    await others;
    expect(inverter.writes).toEqual([]);
  });

  it('a link that breaks before the write writes nothing', async () => {
    inverter.link.behave('hang up');
    inverter.link.breakConnections();
    await expect(inverter.hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(LinkDown);
    expect(inverter.writes).toEqual([]);
  });

  it('a model that disappears after the write leaves the outcome unknown', async () => {
    inverter.take = (_unit, address, values) => {
      inverter.store(address, values);
      inverter.registers.set(REGISTER.storage, 9999);
    };
    await expect(inverter.hardware.write(0, 'Battery reserve', 30)).rejects.toThrow(WriteUnanswered);
    expect(inverter.writes).toHaveLength(1);
  });

  it('a link that breaks before the enable point leaves the outcome unknown', async () => {
    const NO_PATH = 10;
    inverter.take = (_unit, address, values) => {
      if (address === REGISTER.limitEnabled) throw new ModbusRefusal(NO_PATH);
      inverter.store(address, values);
    };
    await expect(inverter.hardware.write(0, 'Active power limit', 50)).rejects.toThrow(WriteUnanswered);
    expect(inverter.writes).toEqual([
      [REGISTER.limit, [500]],
      [REGISTER.limitEnabled, [1]],
    ]);
  });
});

describe('a SunSpec device that vanishes during a poll', () => {
  it('the device is down, and is read again when it is back', async () => {
    inverter.link.behave('hang up');
    inverter.link.breakConnections();
    await expect(inverter.hardware.poll()).rejects.toThrow(LinkDown);
    inverter.link.behave('none');
    await expect
      .poll(async () => (await inverter.hardware.poll())[0]?.get('AC output power'), {
        timeout: 5_000,
      })
      .toBe(100);
  });

  it.each(['cut', 'garbage', 'silent'] as const)(
    'a poll with the fault %s fails as a whole',
    async (fault) => {
      inverter.link.behave(fault);
      await expect(inverter.hardware.poll()).rejects.toThrow(LinkDown);
    },
  );
});
