import { ModbusRefusal } from '@heliograph/dev/modbus';
import { describe, expect, it } from 'vitest';
import { negative, registersWith } from '../../../test/drivers/deye/registers.ts';
import { bankOf, startRtuInverter } from '../../../test/drivers/deye/rtu-inverter.ts';
import { skippedPauses } from '../../../test/drivers/skipped-pauses.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';
import { deye, openDeye } from './family.ts';

const GENERAL_MODE = 4;
const WEEK = 0xfe;

const REGISTER = {
  zeroExport: 206,
  maxCharge: 210,
  generatorCharge: 231,
  gridCharge: 232,
  timer: 248,
  time: 250,
  power: 256,
  voltage: 262,
  slot: 274,
};

const running = runningUntilTheEnd();

async function start() {
  const registers = registersWith(3, {
    [REGISTER.maxCharge]: 120,
    [REGISTER.timer]: WEEK,
    [REGISTER.slot]: GENERAL_MODE,
    [REGISTER.slot + 1]: GENERAL_MODE | 1,
    280: 0x0010,
  });
  const bank = bankOf(registers);
  const on = {
    /** The inverter's reaction to a write; by default it stores the values. */
    write: bank.write,
    /** Called with every read, before it is answered. */
    read: () => {},
  };
  const inverter = await startRtuInverter({
    readRange: (...request) => {
      on.read();
      return bank.readRange(...request);
    },
    write: (...request) => on.write(...request),
  });
  running.push(inverter);
  const hardware = await openDeye(inverter.bus, { unit: 1, options: {} }, skippedPauses());
  return { registers, on, inverter, hardware };
}

describe.concurrent('writeSetting of a Deye inverter', () => {
  it.each([
    ['Max charge current', 35, [REGISTER.maxCharge, 35], 35],
    ['Energy pattern', 'Load first', [243, 1], 'Load first'],
    ['Work mode', 'Zero export to CT', [244, 2], 'Zero export to CT'],
    ['Grid charge', 'Enabled', [REGISTER.gridCharge, 1], 'Enabled'],
    ['Time point 3', '16:30:00', [REGISTER.time + 2, 1630], '16:30:00'],
    ['Time point 1', '05:05', [REGISTER.time, 505], '05:05:00'],
    ['Power point 6', 4000, [REGISTER.power + 5, 4000], 4000],
    ['Voltage point 2', 51.2, [REGISTER.voltage + 1, 5120], 51.2],
    ['Use timer', 'true', [REGISTER.timer, WEEK | 1], true],
    ['Grid charge point 1', 'true', [REGISTER.slot, GENERAL_MODE | 1], true],
    ['Gen charge point 2', 'true', [REGISTER.slot + 1, GENERAL_MODE | 3], true],
    ['Grid charge point 2', 'false', [REGISTER.slot + 1, GENERAL_MODE], false],
    ['Grid peak shaving', 'Enabled', [280, 0x0110], 'Enabled'],
  ] as const)('%s = %s is written once with function 16, and read back', async (name, value, write, now) => {
    const { inverter, hardware } = await start();
    expect(await hardware.write(0, name, value)).toBe(now);
    expect(inverter.writes).toEqual([write]);
    expect((await hardware.poll())[0]?.get(name)).toBe(now);
  });

  it('a setting that shares its register preserves the other bits', async () => {
    const { registers, inverter, hardware } = await start();
    registers.set(REGISTER.timer, 0x06).set(REGISTER.generatorCharge, 0x0100);
    await hardware.write(0, 'Use timer', 'true');
    await hardware.write(0, 'Generator charge', 'Enabled');
    expect(inverter.writes).toEqual([
      [REGISTER.timer, 0x07],
      [REGISTER.generatorCharge, 0x0101],
    ]);
  });

  it('a value in force is not written again: settings live in an EEPROM', async () => {
    const { inverter, hardware } = await start();
    expect(await hardware.write(0, 'Max charge current', 120)).toBe(120);
    expect(inverter.writes).toEqual([]);
  });

  it('a value that differs from the one in force beyond its decimals is written', async () => {
    const { registers, inverter, hardware } = await start();
    registers.set(REGISTER.voltage, 5123);
    expect(await hardware.write(0, 'Voltage point 1', 51.2)).toBe(51.2);
    expect(inverter.writes).toEqual([[REGISTER.voltage, 5120]]);
  });

  it('a signed setting whose register is all ones is -1, and is written', async () => {
    const { registers, inverter, hardware } = await start();
    registers.set(REGISTER.zeroExport, negative(-1));
    expect(await hardware.write(0, 'Zero export power', 20)).toBe(20);
    expect(inverter.writes).toEqual([[REGISTER.zeroExport, 20]]);
  });

  it('three-phase settings have registers of their own, and high-voltage ones count tens of watts', async () => {
    const three = registersWith(6, { 20: 0xa120, 21: 7, 178: 0x2222 });
    const other = await startRtuInverter(bankOf(three));
    try {
      const { units, ...opened } = await deye.open(other.bus, { unit: 1, options: {} }).then((one) => ({
        units: one.units,
        write: one.write.bind(one),
      }));
      await opened.write(0, 'Max sell power', 15_000);
      await opened.write(0, 'Grid peak shaving', 'Enabled');
      await expect(opened.write(0, 'Zero export power', -40), 'sources differ').rejects.toThrow(RangeError);
      expect(other.writes).toEqual([
        [143, 1500],
        [178, 0x2232],
      ]);
      const rule = units[0]?.quantities.find(({ name }) => name === 'Max sell power')?.setting;
      expect(rule).toMatchObject({ min: 0, max: 50_000, step: 10 });
    } finally {
      await other.stop();
    }
  });
});

describe.concurrent('a Deye inverter that does not accept a value', () => {
  it('a refusal rejects with the reason', async () => {
    const { on, inverter, hardware } = await start();
    on.write = () => {
      throw new ModbusRefusal(3);
    };
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toMatchObject({
      message: 'the inverter refused 30 for Max charge current: the unit refuses this value',
      cause: expect.any(ModbusException),
    });
    expect(inverter.writes).toHaveLength(1);
  });

  it('a write that leaves the old value rejects', async () => {
    const { on, inverter, hardware } = await start();
    let reads = 0;
    on.write = () => {
      on.read = () => {
        reads += 1;
      };
    };
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('kept Max charge current at 120 and did not take 30');
    expect(inverter.writes).toHaveLength(1);
    expect(reads).toBe(READ_BACK_AT_MS.length);
  });

  it('a value that the inverter chose itself is returned', async () => {
    const { registers, on, hardware } = await start();
    on.write = (_unit, address) => void registers.set(address, 100);
    expect(await hardware.write(0, 'Max charge current', 240)).toBe(100);
  });

  it.each([2, READ_BACK_AT_MS.length])(
    'a value that takes effect at read-back %i is returned',
    async (last) => {
      const { registers, on, inverter, hardware } = await start();
      let reads = 0;
      on.write = (_unit, address, [value = 0]) => {
        on.read = () => {
          reads += 1;
          if (reads === last) registers.set(address, value);
        };
      };
      expect(await hardware.write(0, 'Max charge current', 30)).toBe(30);
      expect(reads).toBe(last);
      expect(inverter.writes).toHaveLength(1);
    },
  );

  it('a setting that the inverter refuses to read is not written', async () => {
    const { registers, inverter, hardware } = await start();
    registers.delete(REGISTER.maxCharge);
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('Max charge current cannot be read, so it was not written: ');
    expect(inverter.writes).toEqual([]);
  });

  it('a setting that the inverter does not have is not written', async () => {
    const { registers, inverter, hardware } = await start();
    registers.set(REGISTER.timer, 0xffff);
    await expect(hardware.write(0, 'Use timer', 'true')).rejects.toThrow('does not have Use timer');
    expect(inverter.writes).toEqual([]);
  });

  it.each([
    ['a number that no register holds', 'Max charge current', 70_000],
    ['no time of day', 'Time point 1', '25:00:00'],
    ['seconds', 'Time point 1', '10:00:30'],
    ['none of the options', 'Work mode', 'Sell everything'],
  ])('a value that is %s is not written', async (_name, setting, value) => {
    const { inverter, hardware } = await start();
    const writing = hardware.write(0, setting, value);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toMatchObject({
      message: `the inverter cannot hold ${value} for ${setting}`,
      cause: expect.any(RangeError),
    });
    expect(inverter.writes).toEqual([]);
  });
});

describe.concurrent('writeSetting of a Deye inverter over a bad link', () => {
  it.each(['cut', 'silent', 'corrupt', 'truncate'] as const)(
    'a value whose answer is %s is read back, and written once',
    async (fault) => {
      const { registers, on, inverter, hardware } = await start();
      on.write = (_unit, address, [value = 0]) => {
        registers.set(address, value);
        inverter.faults.behave(fault, 1);
      };
      expect(await hardware.write(0, 'Max charge current', 30)).toBe(30);
      expect(inverter.writes).toEqual([[REGISTER.maxCharge, 30]]);
    },
  );

  it('a link that breaks before the write writes nothing', async () => {
    const { inverter, hardware } = await start();
    inverter.faults.behave('cut');
    await expect(hardware.write(0, 'Max charge current', 30)).rejects.toThrow(LinkDown);
    expect(inverter.writes).toEqual([]);
  });

  it('a link that breaks after the write leaves the outcome unknown', async () => {
    const { registers, on, inverter, hardware } = await start();
    on.write = (_unit, address, [value = 0]) => {
      registers.set(address, value);
      on.read = () => inverter.faults.behave('silent');
    };
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: expect.stringContaining('Max charge current was written and could not be confirmed: '),
      cause: expect.any(LinkDown),
    });
    expect(inverter.writes).toHaveLength(1);
  });

  it('an inverter that refuses to be read after the write leaves the outcome unknown', async () => {
    const { registers, on, inverter, hardware } = await start();
    on.write = (_unit, address) => void registers.delete(address);
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(WriteUnanswered);
    await expect(writing).rejects.toMatchObject({
      message: 'Max charge current was written and could not be confirmed: the unit has no such register',
      cause: expect.any(ModbusException),
    });
    expect(inverter.writes).toHaveLength(1);
  });

  it('a write that was aborted before it is sent writes nothing', async () => {
    const { inverter, hardware } = await start();
    await expect(hardware.write(0, 'Max charge current', 30, AbortSignal.abort())).rejects.toThrow(LinkDown);
    expect(inverter.writes).toEqual([]);
  });
});
