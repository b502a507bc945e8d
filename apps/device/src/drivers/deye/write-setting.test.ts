import { ModbusRefusal, type RegisterBank } from '@heliograph/dev-env/modbus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type Hardware, RejectedByHardware } from '../driver.ts';
import { deye } from './family.ts';
import { registersWith } from './testing/registers.ts';
import { bankOf, type RtuInverter, startRtuInverter } from './testing/rtu-inverter.ts';

const GENERAL_MODE = 4;
const WEEK = 0xfe;

const REGISTER = {
  maxCharge: 210,
  generatorCharge: 231,
  gridCharge: 232,
  timer: 248,
  time: 250,
  power: 256,
  voltage: 262,
  slot: 274,
};

let registers: Map<number, number>;
/** What the inverter does with a write; by default it takes it. */
let take: RegisterBank['write'];
let inverter: RtuInverter;
let hardware: Hardware;

beforeEach(async () => {
  registers = registersWith(3, {
    [REGISTER.maxCharge]: 120,
    [REGISTER.timer]: WEEK,
    [REGISTER.slot]: GENERAL_MODE,
    [REGISTER.slot + 1]: GENERAL_MODE | 1,
    280: 0x0010,
  });
  take = bankOf(registers).write;
  inverter = await startRtuInverter({
    ...bankOf(registers),
    write: (...request) => take(...request),
  });
  hardware = await deye.open(inverter.bus, { unit: 1, options: {} });
});

afterEach(() => inverter.stop());

describe('the settings of an inverter', () => {
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
    expect(await hardware.write(0, name, value)).toBe(now);
    expect(inverter.writes).toEqual([write]);
    expect((await hardware.poll())[0]?.get(name)).toBe(now);
  });

  it('that share a register with others are written around what the register holds by then', async () => {
    registers.set(REGISTER.timer, 0x06).set(REGISTER.generatorCharge, 0x0100);
    await hardware.write(0, 'Use timer', 'true');
    await hardware.write(0, 'Generator charge', 'Enabled');
    expect(inverter.writes).toEqual([
      [REGISTER.timer, 0x07],
      [REGISTER.generatorCharge, 0x0101],
    ]);
  });

  it('that are in force already are not written again: they live in an EEPROM', async () => {
    expect(await hardware.write(0, 'Max charge current', 120)).toBe(120);
    expect(inverter.writes).toEqual([]);
  });

  it('of three-phase inverters stand elsewhere, those of high voltage in tens of watts', async () => {
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

describe('an inverter that does not take a setting', () => {
  it('refuses: the reason is told', async () => {
    take = () => {
      throw new ModbusRefusal(3);
    };
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow(
      'the inverter refused 30 for Max charge current: the unit refuses this value',
    );
    expect(inverter.writes).toHaveLength(1);
  });

  it('keeps its old value without a word', async () => {
    take = () => {};
    const writing = hardware.write(0, 'Max charge current', 30);
    await expect(writing).rejects.toThrow(RejectedByHardware);
    await expect(writing).rejects.toThrow('kept Max charge current at 120 and did not take 30');
    expect(inverter.writes).toHaveLength(1);
  });

  it('takes another value: that one is reported', async () => {
    take = (_unit, address) => void registers.set(address, 100);
    expect(await hardware.write(0, 'Max charge current', 240)).toBe(100);
  });

  it('takes it a moment later', async () => {
    take = (_unit, address, [value = 0]) => void setTimeout(() => registers.set(address, value), 100);
    expect(await hardware.write(0, 'Max charge current', 30)).toBe(30);
  });

  it('does not have it: nothing is written', async () => {
    registers.set(REGISTER.timer, 0xffff);
    await expect(hardware.write(0, 'Use timer', 'true')).rejects.toThrow('does not have Use timer');
    expect(inverter.writes).toEqual([]);
  });

  it.each([
    ['a number that no register holds', 'Max charge current', 70_000],
    ['no time of day', 'Time point 1', '25:00:00'],
    ['seconds', 'Time point 1', '10:00:30'],
    ['none of the options', 'Work mode', 'Sell everything'],
  ])('cannot hold %s: nothing is written', async (_name, setting, value) => {
    await expect(hardware.write(0, setting, value)).rejects.toThrow(RejectedByHardware);
    expect(inverter.writes).toEqual([]);
  });
});

describe('a link that breaks during a write', () => {
  it.each(['cut', 'silent', 'corrupt', 'truncate'] as const)(
    'midway (%s): the outcome is unknown, and nothing is written twice',
    async (fault) => {
      take = (_unit, address, [value = 0]) => {
        registers.set(address, value);
        inverter.faults.behave(fault, 1);
      };
      await expect(hardware.write(0, 'Max charge current', 30)).rejects.toThrow(WriteUnanswered);
      expect(inverter.writes).toEqual([[REGISTER.maxCharge, 30]]);
    },
  );

  it('before it: nothing was written', async () => {
    inverter.faults.behave('cut');
    await expect(hardware.write(0, 'Max charge current', 30)).rejects.toThrow(LinkDown);
    expect(inverter.writes).toEqual([]);
  });

  it('after it: it was written, and could not be confirmed', async () => {
    take = (_unit, address, [value = 0]) => {
      registers.set(address, value);
      setImmediate(() => inverter.faults.behave('silent'));
    };
    await expect(hardware.write(0, 'Max charge current', 30)).rejects.toThrow(WriteUnanswered);
    expect(inverter.writes).toHaveLength(1);
  });

  it('is not written at all when nobody waits any more', async () => {
    await expect(hardware.write(0, 'Max charge current', 30, AbortSignal.abort())).rejects.toThrow(LinkDown);
    expect(inverter.writes).toEqual([]);
  });
});
