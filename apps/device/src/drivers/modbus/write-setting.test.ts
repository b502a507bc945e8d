import { ModbusRefusal, type RegisterBank } from '@heliograph/dev/modbus';
import { rtuUnits, type ServedLine, serveLine, solarmanLogger } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { type Quantity, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServedUnit, serveUnit } from '../../../test/drivers/modbus/unit.ts';
import { skippedPauses } from '../../../test/drivers/skipped-pauses.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { addressIn } from './register-address.ts';
import type { RegisterRow } from './row.ts';
import { type WriteRules, writeSetting } from './write-setting.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const LOGGER = 2_712_345_678;

const RULES: WriteRules = { hardware: 'the inverter' };

const watts = (name: string, decimals = 0): Quantity =>
  quantities.numberSetting(name, 'W', { min: -5_000_000, max: 5_000_000, step: 1 }, decimals);

/** High word first. */
const EXPORT: RegisterRow = { quantity: watts('Max export'), registers: [11, 10], type: 'u32' };
/** Low word first. */
const SETPOINT: RegisterRow = { quantity: watts('Setpoint'), registers: [20, 21], type: 's32' };
const LIMIT: RegisterRow = {
  quantity: watts('Limit'),
  registers: [30],
  type: 'u16',
  scaleBy: { register: 40, scales: 'powers of ten' },
  enabledBy: { register: 31, otherwise: 9000 },
};

let unit: ServedUnit;
beforeEach(async () => {
  unit = await serveUnit(
    new Map([
      [10, 0],
      [11, 5000],
      [20, 0xfc18],
      [21, 0xffff],
      [30, 400],
      [31, 0],
      [40, 1],
    ]),
  );
});
afterEach(() => unit.stop());

const write = (
  row: RegisterRow,
  value: number | string,
  more: Partial<WriteRules> = {},
  signal?: AbortSignal,
) => writeSetting(unit.bus, 1, { row, value, signal, time: skippedPauses(), rules: { ...RULES, ...more } });

describe('a setting of several registers', () => {
  it.each([
    ['high word first', EXPORT, 100_000, [10, [1, 34_464]]],
    ['low word first', SETPOINT, -70_000, [20, [0xee90, 0xfffe]]],
    ['whose low word alone changes', EXPORT, 5001, [10, [0, 5001]]],
  ] as const)('%s is written with one request, and read back as a whole', async (_name, row, value, sent) => {
    expect(await write(row, value)).toBe(value);
    expect(unit.writes).toEqual([sent]);
    const [address] = sent;
    expect(unit.reads).toEqual([
      [address, 2],
      [address, 2],
    ]);
  });

  it.each([
    [EXPORT, 5000],
    [SETPOINT, -1000],
  ])('a value in force is not written again: memory wears', async (row, value) => {
    expect(await write(row, value)).toBe(value);
    expect(unit.writes).toEqual([]);
  });

  it('a unit that takes one of the words alone is noticed', async () => {
    unit.take = (_unitId, address, [high = 0]) => void unit.registers.set(address, high);
    expect(await write(EXPORT, 100_000)).toBe(65_536 + 5000);
    expect(unit.writes).toHaveLength(1);
  });

  it('a unit that keeps both words rejects', async () => {
    unit.take = () => {};
    await expect(write(EXPORT, 100_000)).rejects.toThrow(
      new RejectedByHardware('the inverter kept Max export at 5000 and did not take 100000'),
    );
    expect(unit.writes).toHaveLength(1);
  });

  it.each([
    ['too large', EXPORT, 2 ** 32],
    ['that means "no value"', EXPORT, 0xffff_ffff],
    ['too far below zero', SETPOINT, -(2 ** 31) - 1],
  ])('a number %s is not sent', async (_name, row, value) => {
    await expect(write(row, value)).rejects.toThrow(
      `the inverter cannot hold ${value} for ${row.quantity.name}`,
    );
    expect(unit.writes).toEqual([]);
  });

  it('a setting whose registers are all ones is not there, and -1 of a number with a sign is', async () => {
    for (const register of [10, 11, 20, 21]) unit.registers.set(register, 0xffff);
    await expect(write(EXPORT, 1)).rejects.toThrow('the inverter does not have Max export');
    expect(await write(SETPOINT, 7)).toBe(7);
    expect(unit.writes).toEqual([[20, [7, 0]]]);
  });

  it('a setting of which one register cannot be read is not written', async () => {
    unit.registers.delete(11);
    await expect(write(EXPORT, 1)).rejects.toThrow(/^Max export cannot be read, so it was not written: /);
    expect(unit.writes).toEqual([]);
  });

  it.each(['cut', 'silent', 'garbage'] as const)(
    'a value whose answer has a fault (%s) is read back, and written once',
    async (fault) => {
      const store = unit.take;
      unit.take = (...request) => {
        store(...request);
        unit.line.behave(fault, 1);
      };
      expect(await write(EXPORT, 100_000)).toBe(100_000);
      expect(unit.writes).toEqual([[10, [1, 34_464]]]);
    },
  );

  it.each([
    [4, 'the unit failed to carry out the request'],
    [6, 'the unit is busy'],
  ])('an exception %i is a refusal only while the old value stays', async (code, reason) => {
    const store = unit.take;
    unit.take = () => {
      throw new ModbusRefusal(code);
    };
    await expect(write(EXPORT, 100_000)).rejects.toThrow(
      new RejectedByHardware(`the inverter refused 100000 for Max export: ${reason}`),
    );
    unit.take = (...request) => {
      store(...request);
      throw new ModbusRefusal(code);
    };
    expect(await write(EXPORT, 100_000)).toBe(100_000);
    expect(unit.writes).toHaveLength(2);
  });

  it.each([5, 10, 11])(
    'an exception %i leaves the outcome unknown only while the old value stays',
    async (code) => {
      const store = unit.take;
      unit.take = () => {
        throw new ModbusRefusal(code);
      };
      await expect(write(EXPORT, 100_000)).rejects.toThrow(WriteUnanswered);
      unit.take = (...request) => {
        store(...request);
        throw new ModbusRefusal(code);
      };
      expect(await write(EXPORT, 100_000)).toBe(100_000);
      expect(unit.writes).toHaveLength(2);
    },
  );

  it.each([
    [1, 'the unit does not know this function'],
    [2, 'the unit has no such register'],
    [3, 'the unit refuses this value'],
    [0x80, "the unit gives no permission: log in as the installer, or allow the SDongle's write access"],
  ])('an exception %i is a refusal without a read-back', async (code, reason) => {
    unit.take = () => {
      throw new ModbusRefusal(code);
    };
    await expect(write(EXPORT, 100_000)).rejects.toThrow(
      new RejectedByHardware(`the inverter refused 100000 for Max export: ${reason}`),
    );
    expect(unit.reads).toHaveLength(1);
  });

  it('a unit that falls silent after the write leaves the outcome unknown', async () => {
    const store = unit.take;
    unit.take = (...request) => {
      store(...request);
      unit.onRead = () => unit.line.behave('silent');
    };
    await expect(write(EXPORT, 100_000)).rejects.toThrow(WriteUnanswered);
    expect(unit.writes).toHaveLength(1);
  });

  it('a write that was aborted before it is sent writes nothing', async () => {
    await expect(write(EXPORT, 100_000, {}, AbortSignal.abort())).rejects.toThrow(LinkDown);
    expect(unit.writes).toEqual([]);
  });

  it.each<[string, RegisterRow]>([
    ['apart from each other', { ...EXPORT, registers: [20, 10] }],
    ['in input registers', { ...EXPORT, registers: [addressIn('input', 11), addressIn('input', 10)] }],
  ])('a setting in registers %s is never written', async (_name, row) => {
    await expect(
      writeSetting(unit.bus, 1, {
        row,
        value: 1,
        rules: RULES,
        read: async () => new Map(row.registers.map((register) => [register, 0])),
      }),
    ).rejects.toThrow(RangeError);
    expect(unit.writes).toEqual([]);
  });
});

describe.each([
  ['modbus-rtu-tcp', (bank) => serveLine(rtuUnits(bank))],
  ['solarman', (bank) => serveLine(solarmanLogger(bank, { logger: LOGGER }))],
] as const satisfies readonly (readonly [string, (bank: RegisterBank) => Promise<ServedLine>])[])(
  'a unit over %s that answers function 6 with another content',
  (transport, serve) => {
    const CURRENT: RegisterRow = { quantity: watts('Current'), registers: [34], type: 'u16' };

    async function writeTo(stored: number, taken: number) {
      const register = { content: 20 };
      const bank: RegisterBank = {
        readRange: () => [register.content],
        write: () => {
          register.content = stored;
        },
        taken: () => taken,
      };
      const { host, port, stop } = await serve(bank);
      const address =
        transport === 'solarman' ? { transport, host, port, logger: LOGGER } : { transport, host, port };
      const bus = openModbusBus(address, LINE, systemClock, { answerTimeoutMs: 1_000 });
      const time = skippedPauses();
      const outcome = await writeSetting(bus, 1, { row: CURRENT, value: 62, time, rules: RULES }).catch(
        (error: Error) => error.message,
      );
      await bus.close();
      await stop();
      return { outcome, pausesMs: time.pausesMs, traffic: bus.traffic };
    }

    it('the content that it took and names is reported after one read-back', async () => {
      expect(await writeTo(57, 57)).toEqual({
        outcome: 57,
        pausesMs: [],
        traffic: { requests: 3, answered: 3, silent: 0, dropped: 0 },
      });
    });

    it('the content that it names is not believed while it holds another', async () => {
      expect(await writeTo(62, 57)).toMatchObject({ outcome: 62, pausesMs: [] });
    });

    it('the old content that it names may still be replaced until the last read-back', async () => {
      const { outcome, pausesMs } = await writeTo(20, 20);
      expect(outcome).toBe('the inverter kept Current at 20 and did not take 62');
      expect(pausesMs).not.toEqual([]);
    });
  },
);

describe('a setting with a scale register and one that enables it', () => {
  it('the value is scaled by its register right before, and enabled after it is written', async () => {
    unit.registers.set(40, 2);
    expect(await write(LIMIT, 7000)).toBe(7000);
    expect(unit.writes).toEqual([
      [30, [70]],
      [31, [1]],
    ]);
  });

  it('a value that would be in force if it were enabled is written and enabled', async () => {
    expect(await write(LIMIT, 4000)).toBe(4000);
    expect(unit.writes).toEqual([
      [30, [400]],
      [31, [1]],
    ]);
  });

  it('a unit that does not enable the value rejects', async () => {
    unit.take = (_unitId, address, [value = 0]) => {
      if (address === 30) unit.registers.set(address, value);
    };
    await expect(write(LIMIT, 7000)).rejects.toThrow('kept Limit at 9000 and did not take 7000');
    expect(unit.writes).toHaveLength(2);
  });

  it('a unit that refuses to enable the value rejects with its reason', async () => {
    unit.take = (_unitId, address, [value = 0]) => {
      if (address === 31) throw new Error('refused');
      unit.registers.set(address, value);
    };
    await expect(write(LIMIT, 7000)).rejects.toThrow(
      'the inverter noted 7000 and refused to put it in force: the unit refuses this value',
    );
  });

  it('a value is not written while its scale is unknown', async () => {
    unit.registers.set(40, 0x8000);
    await expect(write(LIMIT, 7000)).rejects.toThrow('no longer tells the scale of Limit');
    expect(unit.writes).toEqual([]);
  });
});

describe('rules of a family', () => {
  it('a value in force is written again where the hardware reverts it', async () => {
    expect(await write(EXPORT, 5000, { repeatsInForce: true })).toBe(5000);
    expect(unit.writes).toEqual([[10, [0, 5000]]]);
  });

  it('a refusal has the reason that the family gives', async () => {
    unit.take = () => {
      throw new Error('refused');
    };
    await expect(write(EXPORT, 1, { hardware: 'the GX', refusalOf: () => 'it is locked' })).rejects.toThrow(
      'the GX refused 1 for Max export: it is locked',
    );
  });

  it('a value between two whole counts is refused, and rounded otherwise', async () => {
    const tens: RegisterRow = { quantity: watts('Tens'), registers: [30], type: 'u16', scale: 10 };
    await expect(write({ ...tens, wholeCounts: true }, 1234)).rejects.toThrow(
      'in steps of 10 W, so not 1234',
    );
    expect(unit.writes).toEqual([]);
    expect(await write(tens, 1234)).toBe(1230);
  });
});
